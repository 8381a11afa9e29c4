import { assertHasData, type DataFolder, openDataFolder } from '#lib/local/data-folder.ts';
import { assertSameMasterKey, macSecretsOf } from '#lib/local/host-secrets.ts';
import { LocalClock } from '#lib/local/local-clock.ts';
import { openStore } from '#lib/local/local-store.ts';
import { STREAM_CONSUMERS } from '#lib/local/relay-loop.ts';
import { simulatorsHere } from '#lib/local/simulators-start.ts';
import { startError } from '#lib/local/start-errors.ts';
import { opsDeps } from '#lib/ops/ops-deps.ts';
import type { DeadLetters, OpsHost } from '#lib/ops/ops-host.ts';
import { jsonLog } from '#shared/adapters/local/json-log.adapter.ts';
import { masterKeyWrapper } from '#shared/adapters/local/master-key.adapter.ts';
import { makeSqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { LocalEnv } from '#shared/local-env.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { openDatabase, type SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';

/** This machine's data. The host must not be running: the lock on its folder makes sure of that. */
export async function openLocalOps(
  stage: Stage,
  env: Pick<LocalEnv, 'dataDir' | 'store' | 'pspUrls' | 'hashVersions'>,
): Promise<OpsHost> {
  if (env.dataDir === ':memory:') throw new Error('DATA_DIR is :memory:, which keeps nothing. Set it to a folder.');
  assertHasData({ dataDir: env.dataDir, store: env.store, stage });
  await using opened = new AsyncDisposableStack();
  const folder = openDataFolder({ dataDir: env.dataDir, store: env.store, stage });
  opened.defer(folder.release);
  try {
    return await openIn(folder, stage, env, opened);
  } catch (error) {
    throw startError(folder.database, error);
  }
}

async function openIn(
  folder: DataFolder,
  stage: Stage,
  { store, pspUrls, hashVersions }: Pick<LocalEnv, 'store' | 'pspUrls' | 'hashVersions'>,
  opened: AsyncDisposableStack,
): Promise<OpsHost> {
  const database = openDatabase(folder.database);
  opened.defer(() => database.close());
  assertSameMasterKey(database, folder);
  const clock = new LocalClock(database);
  const { table } = await openStore({ store, folder, database, consumers: STREAM_CONSUMERS }, opened);
  // The providers of this machine are its simulators, which run only while something runs them.
  const simulators = await simulatorsHere({
    port: 0,
    database: folder.simulators,
    clock,
    webhookBase: 'http://127.0.0.1:1',
    masterKey: folder.masterKey,
  });
  opened.defer(async () => simulators.close());
  const deps = opsDeps({
    table,
    clock,
    stage,
    log: jsonLog(process.stderr, clock),
    secrets: macSecretsOf(folder.masterKey, hashVersions),
    vault: makeVault(masterKeyWrapper(folder.masterKey)),
    transport: makePspTransport({ baseUrls: (provider) => pspUrls[provider] ?? `${simulators.base}/${provider}` }),
    pspRoots: () => simulators.rootCertificates,
  });
  const resources = opened.move();
  return { deps, table, deadLetters: localDeadLetters(database, clock), close: () => resources.disposeAsync() };
}

function localDeadLetters(database: SqliteDatabase, clock: Clock): DeadLetters {
  const queue = makeSqliteQueue(database, { clock });
  const isQueue = (name: string): name is QueueName => QUEUES.some((each) => each === name);
  return {
    names: QUEUES,
    count: async (name) => (isQueue(name) ? (await queue.deadLetters(name)).length : 0),
    redrive: async (name) => `${isQueue(name) ? await queue.redrive(name) : 0} sent back`,
  };
}
