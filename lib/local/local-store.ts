import type { ChangeFeed } from '#lib/local/change-feed.ts';
import type { DataFolder } from '#lib/local/data-folder.ts';
import type { Store } from '#shared/env.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import type { SqliteDatabase } from '#shared/store/sqlite-commit.ts';
import { SqliteFeed } from '#shared/store/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite-table.adapter.ts';

export type LocalStore = { readonly table: TablePort; readonly feed: ChangeFeed };

export type StoreOptions = {
  readonly folder: Pick<DataFolder, 'emulator' | 'accessKey'>;
  readonly database: SqliteDatabase;
  /** Who follows the feed. */
  readonly consumers: readonly string[];
  /** For tests: the address of a DynamoDB Local that runs already. The host is by itself there, by its access key. */
  readonly emulator?: string;
};

/** The table and its change feed. What the DynamoDB one is made of is loaded only where it is wanted. */
export async function openStore(options: StoreOptions & { readonly store: Store }, opened: AsyncDisposableStack): Promise<LocalStore> {
  const { store, database, consumers } = options;
  if (store === 'sqlite') return { table: new SqliteTable({ database }), feed: new SqliteFeed({ database, consumers }) };
  const { openDynamoStore } = await import('#lib/local/dynamo-store.ts');
  return openDynamoStore(options, opened);
}
