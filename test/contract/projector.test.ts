import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { totalsContract } from '#test/contract/totals.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

totalsContract('SQLite', async () => new SqliteTable({ database: openDatabase(':memory:') }), 150);

dynamoDbSuite('DynamoDB Local', (local) => {
  let tables = 0;
  totalsContract(
    'DynamoDB',
    async () => {
      tables += 1;
      const [{ client }, tableName] = [local(), `payfork-${tables}`];
      await createTable(client, tableName);
      return new DynamoTable({ client, tableName });
    },
    8,
  );
});
