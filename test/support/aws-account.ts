import { vi } from 'vitest';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { FAKE_ACCOUNT } from '#test/support/aws-wire.ts';
import { type EventBridgeFake, startEventBridgeFake } from '#test/support/eventbridge-fake.ts';
import { type KmsFake, startKmsFake } from '#test/support/kms-fake.ts';
import type { TestDynamoDb } from '#test/support/shared-dynamodb.ts';
import { type SqsLocal, startSqsLocal } from '#test/support/sqs-local.ts';

export const TABLE = 'service';

export type AwsAccount = {
  readonly table: DynamoTable;
  readonly kms: KmsFake;
  readonly sqs: SqsLocal;
  readonly bus: EventBridgeFake;
  readonly stop: () => Promise<void>;
};

/**
 * Everything that a function needs of AWS, on this machine. Functions imported afterwards find it in their
 * environment, as on AWS.
 */
export async function startAwsAccount({ client, endpoint, accessKeyId }: TestDynamoDb): Promise<AwsAccount> {
  const [kms, sqs, bus] = await Promise.all([startKmsFake(), startSqsLocal(), startEventBridgeFake()]);
  await createTable(client, TABLE);
  const table = new DynamoTable({ client, tableName: TABLE });
  // The emulator's first write is slow, and functions have shorter timeouts than this client.
  await table.put({ pk: 'first', sk: 'write' });
  const urls = sqs.freshQueues();
  const environment = {
    STAGE: 'sandbox',
    API_URL: 'https://api.example.com/',
    OTHER_STAGE_URL: 'https://live.example.com',
    TABLE_NAME: TABLE,
    BUS_NAME: 'events',
    PSP_KEY_ARN: kms.createKey(),
    INTEGRATION_KEY_ARN: kms.createKey(),
    OWN_KEY_ARN: kms.createKey(),
    HASH_KEY_ARN: kms.createKey('GENERATE_VERIFY_MAC'),
    ...Object.fromEntries(QUEUES.map((queue) => [queueVariable(queue), urls[queue]])),
    AWS_REGION: FAKE_ACCOUNT.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'fake',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // Functions that are imported from now on start cold in this account: each caches what it has read for the life of
  // its process.
  vi.resetModules();
  return {
    table,
    kms,
    sqs,
    bus,
    stop: async () => {
      vi.unstubAllEnvs();
      await Promise.all([kms.stop(), sqs.stop(), bus.stop()]);
    },
  };
}
