import type { ChangeFeed } from '#lib/local/change-feed.ts';
import type { DataFolder } from '#lib/local/data-folder.ts';
import type { Store } from '#shared/local-env.ts';
import type { DueIndex } from '#shared/ports/due.port.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { sqliteDue } from '#shared/store/sqlite/sqlite-due.ts';
import { SqliteFeed } from '#shared/store/sqlite/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

export type LocalStore = { readonly table: TablePort; readonly feed: ChangeFeed; readonly due: DueIndex };

export type StoreOptions = {
  readonly folder: Pick<DataFolder, 'emulator' | 'accessKey'>;
  readonly database: SqliteDatabase;
  /** The feed's consumers. */
  readonly consumers: readonly string[];
  /** Whether the present call waits for the disk; by default it does. */
  readonly isDurable?: () => boolean;
  /**
   * For tests: the address of a running DynamoDB Local. The host has a database of its own there, by its access key.
   */
  readonly emulator?: string;
};

/** The table and its change feed. DynamoDB's parts are loaded only where they are used. */
export async function openStore(
  options: StoreOptions & { readonly store: Store },
  opened: AsyncDisposableStack,
): Promise<LocalStore> {
  const { store, database, consumers, isDurable } = options;
  if (store === 'sqlite')
    return {
      table: new SqliteTable({ database, isDurable }),
      feed: new SqliteFeed({ database, consumers }),
      due: sqliteDue(database),
    };
  const { openDynamoStore } = await import('#lib/local/dynamo-store.ts');
  return openDynamoStore(options, opened);
}
