import { gzip } from 'node:zlib';

/** Compresses in another thread: on the main thread a large text would block the process. */
export const gzipped = (content: string | Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    gzip(content, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
