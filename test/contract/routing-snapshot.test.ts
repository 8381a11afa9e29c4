import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { routingSnapshots } from '#test/contract/routing-snapshot.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

routingSnapshots('SQLite', async () => new SqliteTable({ database: openDatabase(':memory:') }));

dynamoDbSuite('DynamoDB Local', (local) => {
  routingSnapshots('DynamoDB', async () => {
    const { client } = local();
    await createTable(client, 'payfork');
    return new DynamoTable({ client, tableName: 'payfork' });
  });
});
