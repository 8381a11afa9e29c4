import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The host cannot start. The message names the file or variable, and what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const ELSEWHERE = 'set DATA_DIR to another folder';

/** Errors of the file system in plain words, by their code. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its file system is read-only',
  ENOENT: 'nothing can be created there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'something that is not a folder has this name',
  EISDIR: 'it is a folder, and the host needs a file of that name',
  ELOOP: 'its path is a circle of symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's quota of the disk is used up",
  EMFILE: 'this process has too many open files (ulimit -n)',
};

/** What to do where neither the owner nor the mode is the reason. */
const REMEDIES: Readonly<Record<string, string>> = {
  EROFS: 'Check the path',
  ENOTDIR: 'Check the path',
  ELOOP: 'Check the path',
  ENAMETOOLONG: 'Choose a shorter one',
  ENOSPC: 'Make room',
  EDQUOT: 'Make room',
  EMFILE: 'Raise that limit',
};

const DAMAGED =
  'is damaged or not a SQLite file. Restore it from a backup, or move it away, with its -wal and -shm files, to start ' +
  'without its data.';

/** The same for SQLite's primary result codes (https://sqlite.org/rescode.html). */
const SQLITE_PROBLEMS: Readonly<Record<number, string>> = {
  5: 'is locked by another process. Close the program that has it open.',
  6: 'is locked by another process. Close the program that has it open.',
  8: `is read-only. Change its owner or its mode, or ${ELSEWHERE}.`,
  10: `cannot be read or written: the disk reports an error. Check the disk, or ${ELSEWHERE}.`,
  11: DAMAGED,
  13: `is on a disk that is full. Make room, or ${ELSEWHERE}.`,
  14: `cannot be opened. Check that this user may read and write it, or ${ELSEWHERE}.`,
  26: DAMAGED,
};

/** Larger files would take longer to check than the host takes to start. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/**
 * The error with its remedy, if it is one of the file system or of SQLite. SQLite's errors do not say which file they
 * are about: `path` does.
 */
export function startError(path: string, error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const message = sqliteProblem(path, error) ?? sqliteProblem(path, error.cause) ?? fileProblem(path, error);
  return message === undefined ? error : new StartError(message, { cause: error });
}

function sqliteProblem(path: string, error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  // The primary code is in the lowest byte; the rest says more than a user can act on.
  const problem = SQLITE_PROBLEMS[error.errcode & 0xff];
  return `${path} ${problem ?? `cannot be used: SQLite reports "${error.message}". Check it, or ${ELSEWHERE}.`}`;
}

function fileProblem(path: string, error: Error): string | undefined {
  if (!('syscall' in error) || !('code' in error) || !('path' in error)) return undefined;
  if (String(error.syscall).startsWith('spawn')) return undefined;
  const code = String(error.code);
  const isCreated = error.syscall === 'mkdir';
  const doing = isCreated ? 'created' : 'read and written';
  const remedy = REMEDIES[code] ?? (isCreated ? 'Check the path' : 'Check its owner and its mode');
  return `${path} cannot be ${doing}: ${FILE_PROBLEMS[code] ?? code}. ${remedy}, or ${ELSEWHERE}.`;
}

/** Runs a step of the start that uses this file. */
export function usingFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw startError(path, error);
  }
}

/** Creates the folder and those above it, for this user alone. Node's own recursion never ends below `/proc`. */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) usingFile(folder, () => makeOne(folder));
  if (!statSync(path).isDirectory())
    throw new StartError(`${path} is a file, and the host needs a folder. Please ${ELSEWHERE}.`);
  usingFile(path, () => accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK));
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile. A link to nothing exists too, and is no folder.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A file that exists must be one that the host may use. SQLite would open a read-only one, and fail much later. */
export function assertUsableFile(path: string, mode = constants.R_OK | constants.W_OK): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (found.isDirectory())
    throw new StartError(`${path} is a folder, and the host needs a file of that name. Move it away.`);
  if (!found.isFile()) throw new StartError(`${path} is not a regular file. Move it away.`);
  usingFile(path, () => accessSync(path, mode));
}

/** A damaged file is found at the start, not by the first payment that reads its damaged part. */
export function assertSoundDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) assertUsableFile(file);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  usingFile(path, () => {
    const database = new DatabaseSync(path);
    try {
      const pragma = size > MAX_CHECKED_BYTES ? 'schema_version' : 'quick_check(1)';
      const { quick_check: result = 'ok' } = database.prepare(`PRAGMA ${pragma}`).get() ?? {};
      if (result !== 'ok') throw new StartError(`${path} ${DAMAGED}`);
    } finally {
      database.close();
    }
  });
}
