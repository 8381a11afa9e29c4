import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Stage } from '#shared/domain/api-key.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import { loadMasterKey } from '#shared/local/master-key.adapter.ts';

export type DataFolder = {
  readonly database: string;
  readonly simulators: string;
  readonly masterKey: Secret<Buffer>;
  /** Nowhere, if nothing is kept. */
  readonly info: string | undefined;
  readonly release: () => void;
};

const IN_MEMORY = ':memory:';

/**
 * Where the host keeps everything, each stage by itself. Messages that are being worked on are known in memory only, so one
 * process has the folder for itself.
 */
export function openDataFolder(path: string, stage: Stage): DataFolder {
  if (path === IN_MEMORY) return { database: IN_MEMORY, simulators: IN_MEMORY, masterKey: loadMasterKey(undefined), info: undefined, release: () => {} };
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const release = lock(path);
  return {
    database: join(path, `${stage}.sqlite`),
    simulators: join(path, `${stage}-simulators.sqlite`),
    masterKey: loadMasterKey(join(path, 'master.key')),
    info: join(path, 'info.json'),
    release,
  };
}

/** The system lets go of it when the process ends, however that ends. */
function lock(path: string): () => void {
  const db = new DatabaseSync(join(path, 'lock'));
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw new Error(`The data in ${path} is in use by another process. End it, or give this one a DATA_DIR of its own.`, { cause });
  }
  return () => db.close();
}
