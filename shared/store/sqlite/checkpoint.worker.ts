import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Copies the log of a SQLite file into the file each time it is asked to, and says how far the log reaches. */
const db = new DatabaseSync(String(workerData));
// The copied pages are on disk before the log is overwritten.
db.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 0');

/** How many pages the log has; `undefined` if the copy failed. */
function copy(): number | undefined {
  try {
    return Number(db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.log);
  } catch {
    // The disk may be full. The log keeps everything, and the next commit tells the host.
    return undefined;
  }
}

parentPort?.on('message', (message: 'copy' | 'close') => {
  if (message === 'copy') parentPort?.postMessage(copy());
  else {
    db.close();
    parentPort?.close();
  }
});
