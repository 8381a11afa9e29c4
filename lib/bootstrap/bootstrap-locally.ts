import type { LocalBootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { bootstrapInTable } from '#lib/bootstrap/bootstrap-table.ts';
import { type DataFolder, openDataFolder } from '#lib/local/data-folder.ts';
import { assertSameMasterKey, macSecretsOf } from '#lib/local/host-secrets.ts';
import { LocalClock } from '#lib/local/local-clock.ts';
import { openStore } from '#lib/local/local-store.ts';
import { STREAM_CONSUMERS } from '#lib/local/relay-loop.ts';
import { startError } from '#lib/local/start-errors.ts';
import type { LocalEnv } from '#shared/local-env.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';

/** Bootstraps the local host, which must not be running: the lock on its folder makes sure of that. Returns what to print. */
export async function bootstrapLocally(
  options: LocalBootstrapOptions,
  { dataDir, store, hashVersions }: Pick<LocalEnv, 'dataDir' | 'store' | 'hashVersions'>,
): Promise<string> {
  if (dataDir === ':memory:') throw new Error('DATA_DIR is :memory:, which keeps nothing. Set it to a folder.');
  await using opened = new AsyncDisposableStack();
  const folder = openDataFolder({ dataDir, store, stage: options.stage });
  opened.defer(folder.release);
  try {
    return await bootstrapIn(folder, { store, hashVersions }, options, opened);
  } catch (error) {
    throw startError(folder.database, error);
  }
}

async function bootstrapIn(
  folder: DataFolder,
  { store, hashVersions }: Pick<LocalEnv, 'store' | 'hashVersions'>,
  options: LocalBootstrapOptions,
  opened: AsyncDisposableStack,
): Promise<string> {
  const database = openDatabase(folder.database);
  opened.defer(() => database.close());
  assertSameMasterKey(database, folder);
  const { table } = await openStore({ store, folder, database, consumers: STREAM_CONSUMERS }, opened);
  const secrets = macSecretsOf(folder.masterKey, hashVersions);
  const report = await bootstrapInTable(table, secrets, new LocalClock(database), options);
  return 'probe' in options ? `${report}\nThe local host runs no probe by itself: only a stage on AWS does.\n` : report;
}
