import { KMSClient } from '@aws-sdk/client-kms';
import type { BootstrapResult } from '#functions/platform/bootstrap-organization.usecase.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { BootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { bootstrapInTable } from '#lib/bootstrap/bootstrap-table.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { macSecretFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { TableError } from '#shared/store/table/table.port.ts';

/** Bootstraps a stage on AWS. The SDK reads credentials and endpoints from the environment. */
export async function bootstrapOnAws(options: BootstrapOptions): Promise<BootstrapResult> {
  const { hashKey } = options;
  // The stack is in one region, which the ARN of its key names.
  const region = hashKey.split(':')[3];
  const [kms, client] = [new KMSClient({ ...RETRYING, region }), dynamoClient({ region })];
  try {
    const hashSecret = await macSecretFrom(kms, hashKey);
    const table = new DynamoTable({ client, tableName: options.table });
    return await bootstrapInTable(table, hashSecret, systemClock, options);
  } catch (error) {
    throw explainAwsError(error, options);
  } finally {
    kms.destroy();
    client.destroy();
  }
}

type AwsTarget = Pick<BootstrapOptions, 'table' | 'hashKey' | 'stage'>;

const SIGN_IN =
  'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), ' +
  'to credentials of the AWS account of the stack.';
const location = ({ hashKey, stage }: AwsTarget) =>
  `in the account of these credentials, region ${hashKey.split(':')[3]}. Is it an output of ${STACK_NAMES[stage]}?`;

/** What the operator can do about an AWS error, by its name. Errors without a line here are shown as they are. */
const EXPLANATIONS: Readonly<Record<string, (target: AwsTarget) => string>> = {
  CredentialsProviderError: () => `There are no AWS credentials. ${SIGN_IN}`,
  ExpiredTokenException: () => `The AWS credentials have expired. ${SIGN_IN}`,
  UnrecognizedClientException: () => `AWS does not know these credentials. ${SIGN_IN}`,
  InvalidSignatureException: () => `AWS does not accept these credentials. ${SIGN_IN}`,
  ResourceNotFoundException: (target) => `There is no table ${target.table} ${location(target)}`,
  NotFoundException: (target) => `There is no key ${target.hashKey} ${location(target)}`,
  InvalidKeyUsageException: ({ hashKey }) =>
    `${hashKey} is a key of another kind. Set --hash-key to the output HashKeyArn of the stack.`,
  AccessDeniedException: ({ table, hashKey }) =>
    'These credentials need the permissions dynamodb:Query, dynamodb:GetItem and dynamodb:PutItem ' +
    `on the table ${table}, and kms:GenerateMac with ${hashKey}.`,
};

/** The same for a host name that is not found, or that does not respond. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'TimeoutError',
]);
const unreachable = ({ hashKey }: AwsTarget, reason: string) =>
  `AWS cannot be reached (${reason}). Check the network, and the region that --hash-key names: ${hashKey.split(':')[3]}.`;

/** The error with its remedy, if it has one. */
function explainAwsError(error: unknown, target: AwsTarget): unknown {
  const cause = error instanceof TableError ? error.cause : error;
  if (!(cause instanceof Error)) return error;
  const reason = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  const explanation = UNREACHABLE.has(reason) ? unreachable(target, reason) : EXPLANATIONS[cause.name]?.(target);
  return explanation === undefined ? error : new Error(explanation, { cause });
}
