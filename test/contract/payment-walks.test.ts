import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { paymentWalks } from '#test/contract/repos/payment-walks.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

paymentWalks('SQLite', async () => new SqliteTable({ database: openDatabase(':memory:') }), { runs: 100, size: 60 });

dynamoDbSuite('DynamoDB Local', (local) => {
  paymentWalks(
    'DynamoDB',
    async () => {
      const [{ client }, tableName] = [local(), 'payfork'];
      await createTable(client, tableName);
      return new DynamoTable({ client, tableName });
    },
    { runs: 8, size: 30 },
  );
});
