import { vi } from 'vitest';
import { FUNCTIONS, type FunctionName, namesOf } from '#lib/aws/function-table.ts';
import { MAC_KEY_VARIABLES, queueVariable } from '#shared/aws-env.ts';
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
  /** Loads a function's entry point with the environment that its line in the function table gives it. */
  readonly asFunction: <T>(name: FunctionName, load: () => Promise<T>) => Promise<T>;
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
    SECRETS_KEY_ARN: kms.createKey(),
    HASH_KEY_ARN: kms.createKey('GENERATE_VERIFY_MAC'),
    TOKEN_KEY_ARN: kms.createKey('GENERATE_VERIFY_MAC'),
    RECOVERY_KEY_ARN: kms.createKey('GENERATE_VERIFY_MAC'),
    ...Object.fromEntries(QUEUES.map((queue) => [queueVariable(queue), urls[queue]])),
    AWS_REGION: FAKE_ACCOUNT.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'fake',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const showLog = hideLog();
  // Functions that are imported from now on start cold in this account: each caches what it has read for the life of
  // its process.
  vi.resetModules();
  return {
    table,
    kms,
    sqs,
    bus,
    asFunction: (name, load) => loadAs(name, environment, load),
    stop: async () => {
      vi.unstubAllEnvs();
      showLog();
      await Promise.all([kms.stop(), sqs.stop(), bus.stop()]);
    },
  };
}

/** Functions write their log to the output of the process, where it would hide what a test run says. */
function hideLog(): () => void {
  const { stdout } = process;
  const { write } = stdout;
  const isLogLine = (text: unknown) => String(text).startsWith('{"level":');
  stdout.write = ((...line: Parameters<typeof write>) =>
    isLogLine(line[0]) || write.apply(stdout, line)) as typeof write;
  return () => {
    stdout.write = write;
  };
}

async function loadAs<T>(
  name: FunctionName,
  environment: Readonly<Record<string, string | undefined>>,
  load: () => Promise<T>,
): Promise<T> {
  const withheld = namesOf(MAC_KEY_VARIABLES).filter((secret) => !FUNCTIONS[name].macs.includes(secret));
  for (const secret of withheld) vi.stubEnv(MAC_KEY_VARIABLES[secret], undefined);
  const loaded = await load();
  for (const secret of withheld) vi.stubEnv(MAC_KEY_VARIABLES[secret], environment[MAC_KEY_VARIABLES[secret]]);
  return loaded;
}
