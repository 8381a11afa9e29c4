import type { Bootstrapped } from '#functions/platform/bootstrap-organization.usecase.ts';
import { bootstrapIn } from '#lib/bootstrap/bootstrap-in.ts';
import type { LocalBootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { openDataFolder } from '#lib/local/data-folder.ts';
import { hashSecretOf } from '#lib/local/host-secrets.ts';
import { LocalClock } from '#lib/local/local-clock.ts';
import { openStore } from '#lib/local/local-store.ts';
import { STREAM_CONSUMERS } from '#lib/local/relay-loop.ts';
import type { LocalEnv } from '#shared/env.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-commit.ts';

/** Works in the local host's folder, whose lock refuses it while the host runs. */
export async function bootstrapFolder(
  options: LocalBootstrapOptions,
  { dataDir, store }: Pick<LocalEnv, 'dataDir' | 'store'>,
): Promise<Bootstrapped> {
  if (dataDir === ':memory:') throw new Error('DATA_DIR=:memory: keeps nothing; name a folder.');
  await using opened = new AsyncDisposableStack();
  const folder = openDataFolder({ dataDir, store, stage: options.stage });
  opened.defer(folder.release);
  const database = openDatabase(folder.database);
  opened.defer(() => database.close());
  const { table } = await openStore({ store, folder, database, consumers: STREAM_CONSUMERS }, opened);
  return await bootstrapIn(table, hashSecretOf(folder.masterKey), new LocalClock(database), options);
}
