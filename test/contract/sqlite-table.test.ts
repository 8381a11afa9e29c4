import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { tableContract } from '#test/contract/table.contract.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

tableContract('SQLite', async () => {
  const folder = await temporaryFolder();
  const database = openDatabase(folder.path('table.db'));
  return {
    table: new SqliteTable({ database }),
    close: async () => {
      database.close();
      await folder.remove();
    },
  };
});
