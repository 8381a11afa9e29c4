import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { disputeLists } from '#test/contract/repos/dispute-list.contract.ts';
import { invoiceLists } from '#test/contract/repos/invoice-list.contract.ts';
import { listsApart } from '#test/contract/repos/list-isolation.contract.ts';
import type { MadeTable } from '#test/contract/repos/list-records.contract.ts';
import { subscriptionLists } from '#test/contract/repos/subscription-list.contract.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

function allLists(made: MadeTable): void {
  subscriptionLists(made);
  invoiceLists(made);
  disputeLists(made);
  listsApart(made);
}

allLists({
  store: 'SQLite',
  makeTable: async () => new SqliteTable({ database: openDatabase(':memory:') }),
  runs: 100,
  size: 60,
});

dynamoDbSuite('DynamoDB Local', (local) => {
  let tables = 0;
  const makeTable = async () => {
    tables += 1;
    const [{ client }, tableName] = [local(), `payfork-${tables}`];
    await createTable(client, tableName);
    return new DynamoTable({ client, tableName });
  };
  allLists({ store: 'DynamoDB', makeTable, runs: 8, size: 30 });
});
