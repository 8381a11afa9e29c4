import { gzip } from 'node:zlib';

/** Compresses in another thread: on the main thread a large text would block the process. */
export const gzipText = (text: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    gzip(text, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
