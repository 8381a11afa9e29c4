/** Whether the file could not be written: the disk is full, or fails. */
export function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Of the sync, which is a call of the file system. Of SQLite's codes, the lowest byte is the kind of error.
  if ('syscall' in error) return true;
  return 'errcode' in error && typeof error.errcode === 'number' && DISK_ERRORS.has(error.errcode & 0xff);
}

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL. */
const DISK_ERRORS: ReadonlySet<number> = new Set([8, 10, 13]);
