import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { emulatorClient } from '#lib/local/dynamodb-local.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { FAKE_ACCOUNT } from '#test/support/aws-wire.ts';

/** A database of its own in the run's emulator. */
export type TestDynamoDb = {
  readonly endpoint: string;
  /** It names the database, together with the region. */
  readonly accessKeyId: string;
  readonly client: DynamoDBClient;
};

/** The address of the run's emulator. */
export async function sharedEmulator(): Promise<string> {
  const response = await fetch(inject('emulatorStarter'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

export async function newDynamoDb(): Promise<TestDynamoDb> {
  const [endpoint, accessKeyId] = [await sharedEmulator(), randomBytes(8).toString('hex')];
  const config = { ...emulatorClient(endpoint, accessKeyId), region: FAKE_ACCOUNT.region };
  return { endpoint, accessKeyId, client: dynamoClient(config) };
}
