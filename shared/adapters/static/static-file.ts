import { extname } from 'node:path';
import { gzipped } from '#shared/kernel/gzip.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { StaticFile } from '#shared/ports/static-file.port.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** A file as it is served: compressed once. */
export async function staticFile(name: string, body: Buffer): Promise<StaticFile> {
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
  // A weak tag, as the compressed bytes and the plain ones are the same file.
  return { contentType, body, gzipped: await gzipped(body), etag: `W/"${sha256Hex(body).slice(0, 32)}"` };
}

/** Makes it at the first call, and keeps it. What could not be made is tried again with the next call. */
export function keptOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
