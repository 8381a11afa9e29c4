import { AppError } from '#shared/kernel/errors.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';

export type DiskGate = {
  /** Whether the disk was full at the last try. */
  readonly isFull: () => boolean;
  /** Whether requests can be served: tries again once the disk was full. */
  readonly hasRoom: () => Promise<boolean>;
  /** The error of a request that was not served. */
  readonly error: () => AppError;
};

const RETRY_AFTER_SECONDS = 10;
/** Room for the writes of a request. */
const PROBE_BYTES = 64 * 1024;
const PROBE_TABLE = 'CREATE TABLE IF NOT EXISTS disk_probe (room BLOB)';

/**
 * Refuses requests while the disk is full. Their writes would fail anyway, each with an error that says nothing of the
 * cause, and maybe after the provider was called.
 */
export function diskGate(database: SqliteDatabase, path: string, log: LogPort): DiskGate {
  let full = false;
  let probing: Promise<boolean> | undefined;
  database.onDiskError(() => {
    if (!full)
      log.error('disk_full', { file: path, remedy: 'Make room on this disk. Until then all requests are refused.' });
    full = true;
  });

  async function probe(): Promise<boolean> {
    try {
      await database.run((db) => {
        db.exec(PROBE_TABLE);
        db.prepare('INSERT INTO disk_probe VALUES (zeroblob(?))').run(PROBE_BYTES);
        db.exec('DELETE FROM disk_probe');
      });
      full = false;
      log.warn('disk_has_room', { file: path });
    } catch {
      // It is still full.
    }
    return !full;
  }

  return {
    isFull: () => full,
    hasRoom: async () => {
      if (!full) return true;
      probing ??= probe().finally(() => {
        probing = undefined;
      });
      return probing;
    },
    error: () =>
      new AppError(
        'storage_full',
        `Nothing can be stored: the disk that holds ${path} is full, or fails. Make room on it, then repeat the ` +
          'request with the same idempotency key.',
        { retryAfter: RETRY_AFTER_SECONDS },
      ),
  };
}
