import { KMSClient } from '@aws-sdk/client-kms';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { BootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { bootstrapInTable } from '#lib/bootstrap/bootstrap-table.ts';
import { type AwsPlace, explainAwsError } from '#lib/ops/aws-errors.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { macSecretsFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';

/** Bootstraps a stage on AWS, and returns what to print. The SDK reads credentials and endpoints from the environment. */
export async function bootstrapOnAws(options: BootstrapOptions): Promise<string> {
  const { hashKey, hashVersions } = options;
  // The stack is in one region, which the ARN of its key names.
  const region = hashKey.split(':')[3];
  const [kms, client] = [new KMSClient({ ...RETRYING, region }), dynamoClient({ region })];
  try {
    const secrets = await macSecretsFrom(kms, { hashSecret: { arn: hashKey, versions: hashVersions } });
    const table = new DynamoTable({ client, tableName: options.table });
    return await bootstrapInTable(table, secrets, systemClock, options);
  } catch (error) {
    throw explainAwsError(error, placeOf(options));
  } finally {
    kms.destroy();
    client.destroy();
  }
}

function placeOf({ table, hashKey, stage }: BootstrapOptions): AwsPlace {
  const region = hashKey.split(':')[3];
  return {
    table,
    hashKey,
    where: `in the account of these credentials, region ${region}. Is it an output of ${STACK_NAMES[stage]}?`,
    region: `the region that --hash-key names: ${region}`,
    permissions:
      'These credentials need the permissions dynamodb:Query, dynamodb:GetItem and dynamodb:PutItem ' +
      `on the table ${table}, and kms:GenerateMac with ${hashKey}.`,
  };
}
