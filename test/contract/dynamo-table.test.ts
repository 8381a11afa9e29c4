import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { tableContract } from '#test/contract/table.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

dynamoDbSuite('DynamoDB Local', (local) => {
  tableContract('DynamoDB', async () => {
    const { client } = local();
    await createTable(client, 'payfork');
    return { table: new DynamoTable({ client, tableName: 'payfork' }), close: async () => undefined };
  });
});
