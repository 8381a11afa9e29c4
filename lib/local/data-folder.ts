import { createHash, randomBytes } from 'node:crypto';
import { constants, existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  assertSoundDatabase,
  assertUsableFile,
  makeFolder,
  StartError,
  startError,
  usingFile,
} from '#lib/local/start-errors.ts';
import { loadMasterKey } from '#shared/adapters/local/master-key.adapter.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { LocalEnv } from '#shared/local-env.ts';

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

type Place = Pick<LocalEnv, 'dataDir' | 'stage' | 'store'>;

const nameOf = ({ stage, store }: Pick<Place, 'stage' | 'store'>): string =>
  store === 'sqlite' ? stage : `${stage}-${store}`;

/** For commands about data that is there: a mistyped folder would be created, and look like a service without records. */
export function assertHasData(place: Place): void {
  const database = join(resolve(place.dataDir), `${nameOf(place)}.sqlite`);
  if (existsSync(database)) return;
  throw new StartError(`There is no ${database}. Set DATA_DIR, STORE and the stage to those of the host.`);
}

/**
 * The folder of the host's data, separate for each stage and store. Leases of messages are in memory only, so one
 * process owns the folder.
 */
export function openDataFolder({ dataDir, stage, store }: Place): DataFolder {
  if (dataDir === IN_MEMORY) return inMemoryFolder();
  const path = resolve(dataDir);
  makeFolder(path);
  const release = lock(path);
  try {
    return { ...filesIn(path, nameOf({ stage, store })), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Files that are there already are checked: each error names its file here, and would be a library's later. */
function filesIn(path: string, name: string): Omit<DataFolder, 'release'> {
  const file = (ending: string) => join(path, ending);
  const [database, simulators] = [file(`${name}.sqlite`), file(`${name}-simulators.sqlite`)];
  assertSoundDatabase(database);
  assertSoundDatabase(simulators);
  const [masterKey, info] = [file('master.key'), file('info.json')];
  assertUsableFile(masterKey, constants.R_OK);
  assertKeyBesideData(path, masterKey);
  assertUsableFile(info, constants.R_OK);
  return {
    database,
    emulator: file(name),
    accessKey: accessKeyOf(path, name),
    simulators,
    masterKey: usingFile(masterKey, () => loadMasterKey(masterKey)),
    info,
  };
}

/** Data of any stage and store; the emulator's is a folder. */
const DATA = /\.sqlite$|^(sandbox|live)-[a-z]+$/;

/** A new key would open nothing of it, and the host would begin a second time beside what it had. */
function assertKeyBesideData(path: string, masterKey: string): void {
  if (existsSync(masterKey)) return;
  const data = readdirSync(path).find((name) => DATA.test(name));
  if (data === undefined) return;
  throw new StartError(
    `${masterKey} is missing, and ${join(path, data)} can only be read with it. Restore the key from a backup. To ` +
      'start without this data, move the folder away or set DATA_DIR to another one.',
  );
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
  const file = join(path, 'lock');
  assertUsableFile(file);
  const db = usingFile(file, () => new DatabaseSync(file));
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw lockError(file, cause);
  }
  return () => db.close();
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

function lockError(file: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
  if (code === SQLITE_BUSY)
    return new StartError(
      `The data in ${dirname(file)} is in use by another process. End it, or give this one a DATA_DIR of its own.`,
      { cause },
    );
  if (code === SQLITE_NOTADB) return new StartError(`${file} is damaged. It holds no data: delete it.`, { cause });
  return startError(file, cause);
}
