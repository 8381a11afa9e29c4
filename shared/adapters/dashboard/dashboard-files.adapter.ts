import { extname } from 'node:path';
import { gzipped } from '#shared/kernel/gzip.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { DashboardFile, DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';

/** The files of one build. */
export type DashboardContent = { readonly page: Buffer; readonly assets: ReadonlyMap<string, Buffer> };

/**
 * Serves what `load` finds, which is loaded at the first request and kept: nobody who does not use the dashboard waits
 * for it. What cannot be loaded is tried again with the next request. Each file is compressed once.
 */
export function dashboardFiles(
  load: () => Promise<DashboardContent>,
  connectsTo: readonly string[] = [],
): DashboardFilesPort {
  const content = keptOnce(load);
  const page = keptOnce(async () => fileOf('index.html', (await content()).page));
  const assets = new Map<string, Promise<DashboardFile>>();
  return {
    connectsTo,
    page,
    asset: async (name) => {
      const found = (await content()).assets.get(name);
      if (found && !assets.has(name)) assets.set(name, fileOf(name, found));
      return assets.get(name);
    },
  };
}

function keptOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

async function fileOf(name: string, body: Buffer): Promise<DashboardFile> {
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
  // A weak tag, as the compressed bytes and the plain ones are the same file.
  return { contentType, body, gzipped: await gzipped(body), etag: `W/"${sha256Hex(body).slice(0, 32)}"` };
}
