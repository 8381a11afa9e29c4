import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadMasterKey } from '#shared/adapters/local/master-key.adapter.ts';
import type { LocalEnv } from '#shared/env.ts';
import type { Secret } from '#shared/kernel/secret.ts';

export type DataFolder = {
  readonly database: string;
  /** Where a DynamoDB emulator keeps its table; in memory if missing. */
  readonly emulator: string | undefined;
  /** The host's table in a shared emulator; the same for the same folder. */
  readonly accessKey: string;
  readonly simulators: string;
  readonly masterKey: Secret<Buffer>;
  /** Undefined if the host keeps nothing. */
  readonly info: string | undefined;
  readonly release: () => void;
};

const IN_MEMORY = ':memory:';

/**
 * The folder of the host's data, separate for each stage and store. Leases of messages are in memory only, so one
 * process owns the folder.
 */
export function openDataFolder({
  dataDir: path,
  stage,
  store,
}: Pick<LocalEnv, 'dataDir' | 'stage' | 'store'>): DataFolder {
  if (path === IN_MEMORY) return inMemoryFolder();
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const release = lock(path);
  const name = store === 'sqlite' ? stage : `${stage}-${store}`;
  return {
    database: join(path, `${name}.sqlite`),
    emulator: join(path, name),
    accessKey: accessKeyOf(path, name),
    simulators: join(path, `${name}-simulators.sqlite`),
    masterKey: loadMasterKey(join(path, 'master.key')),
    info: join(path, 'info.json'),
    release,
  };
}

/** Uses the path that the folder will have, as it may not exist yet. */
export const accessKeyOf = (path: string, name: string): string =>
  accessKey(createHash('sha256').update(resolve(path, name)).digest());

const accessKey = (bits: Buffer): string => bits.toString('hex', 0, 8);

function inMemoryFolder(): DataFolder {
  const nothing = { emulator: undefined, info: undefined, masterKey: loadMasterKey(undefined), release: () => {} };
  return { ...nothing, database: IN_MEMORY, simulators: IN_MEMORY, accessKey: accessKey(randomBytes(8)) };
}

/** The operating system releases it when the process ends, even by a crash. */
function lock(path: string): () => void {
  const db = new DatabaseSync(join(path, 'lock'));
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw new Error(
      `The data in ${path} is in use by another process. End it, or give this one a DATA_DIR of its own.`,
      { cause },
    );
  }
  return () => db.close();
}
