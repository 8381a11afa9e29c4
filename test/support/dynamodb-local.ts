import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDbLocalOptions, emulatorClient, startDynamoDbLocal as start } from '#lib/local/dynamodb-local.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';

export type DynamoDbLocal = {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  readonly stop: () => Promise<void>;
};

/** In memory, one for each test file that starts it. */
export async function startDynamoDbLocal(options?: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const { endpoint, stop } = await start(options);
  const client = dynamoClient(emulatorClient(endpoint));
  return {
    endpoint,
    client,
    stop: async () => {
      client.destroy();
      await stop();
    },
  };
}
