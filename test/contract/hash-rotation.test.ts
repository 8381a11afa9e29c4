import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { hashRotation } from '#test/contract/hash-rotation.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

hashRotation('SQLite', async () => new SqliteTable({ database: openDatabase(':memory:') }));

dynamoDbSuite('DynamoDB Local', (local) => {
  let tables = 0;
  hashRotation('DynamoDB', async () => {
    const { client } = local();
    tables += 1;
    const tableName = `rotation-${tables}`;
    await createTable(client, tableName);
    return new DynamoTable({ client, tableName });
  });
});
