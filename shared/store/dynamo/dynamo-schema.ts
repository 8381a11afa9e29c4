import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { INDEXES } from '#shared/ports/table.port.ts';

/**
 * Seconds since 1970 after which an item is of no use. DynamoDB deletes it some time later: expiry is judged by the
 * clock.
 */
export const TTL_ATTRIBUTE = 'ttl';

/** The table as deployed: two text keys, the port's sparse indexes, a stream with both images. */
export function tableDefinition(tableName: string) {
  const pairs = Object.values(INDEXES);
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(['pk', 'sk']),
    AttributeDefinitions: ['pk', 'sk', ...pairs.flat()].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    GlobalSecondaryIndexes: Object.entries(INDEXES).map(([name, pair]) => ({
      IndexName: name,
      KeySchema: keySchema(pair),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  } as const satisfies CreateTableCommandInput;
}

/** For the local host and tests; on AWS the stack makes it. */
export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  await client.send(new CreateTableCommand(tableDefinition(tableName)));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 2 }, { TableName: tableName });
}

function keySchema([partition, sort]: readonly [string, string]) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
}
