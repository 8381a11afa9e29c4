import { TableError } from '#shared/store/table/table.port.ts';

/** What a command uses on AWS, and what to check if that is not there. */
export type AwsPlace = {
  readonly table: string;
  /** The ARN or the alias of the key of hashes. */
  readonly hashKey: string;
  /** Where both were looked for. */
  readonly where: string;
  /** What names the region. */
  readonly region: string;
  readonly permissions: string;
};

const SIGN_IN =
  'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), ' +
  'to credentials of the AWS account of the stack.';

/** What the operator can do about an AWS error, by its name. Errors without a line here are shown as they are. */
const EXPLANATIONS: Readonly<Record<string, (place: AwsPlace) => string>> = {
  CredentialsProviderError: () => `There are no AWS credentials. ${SIGN_IN}`,
  ExpiredTokenException: () => `The AWS credentials have expired. ${SIGN_IN}`,
  UnrecognizedClientException: () => `AWS does not know these credentials. ${SIGN_IN}`,
  InvalidSignatureException: () => `AWS does not accept these credentials. ${SIGN_IN}`,
  ResourceNotFoundException: ({ table, where }) => `There is no table ${table} ${where}`,
  NotFoundException: ({ hashKey, where }) => `There is no key ${hashKey} ${where}`,
  QueueDoesNotExist: ({ where }) => `There are no queues of dead letters ${where}`,
  InvalidKeyUsageException: ({ hashKey }) =>
    `${hashKey} is a key of another kind. Set --hash-key to the output HashKeyArn of the stack.`,
  AccessDeniedException: ({ permissions }) => permissions,
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

/** The SDK's own words, without a name or code. */
const NO_REGION = 'Region is missing';

/** The error with its remedy, if it has one. */
export function explainAwsError(error: unknown, place: AwsPlace): unknown {
  const cause = error instanceof TableError ? error.cause : error;
  if (!(cause instanceof Error)) return error;
  const explanation = explanationOf(cause, place);
  return explanation === undefined ? error : new Error(explanation, { cause });
}

function explanationOf(cause: Error, place: AwsPlace): string | undefined {
  const reason = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  if (UNREACHABLE.has(reason)) return `AWS cannot be reached (${reason}). Check the network, and ${place.region}.`;
  if (cause.message === NO_REGION) return 'There is no region. Set AWS_REGION, or --region.';
  return EXPLANATIONS[cause.name]?.(place);
}
