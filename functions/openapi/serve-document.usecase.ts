import { gzipped } from '#shared/kernel/gzip.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { type CompressedContent, compressedResponse } from '#shared/services/reference/compressed-response.service.ts';

/** Read and compressed lazily, once, to keep it out of cold starts. */
let document: Promise<CompressedContent> | undefined;

/**
 * The committed document; that it is up to date is tested, so nothing is built here. Any page may read it. It is large,
 * so that most requests should get a tenth of it, or nothing.
 */
export async function serveDocument({ headers }: Pick<RawRequest, 'headers'>): Promise<RawResponse> {
  document ??= loadDocument();
  return compressedResponse(headers, await document, {
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  });
}

async function loadDocument(): Promise<CompressedContent> {
  const { default: parsed } = await import('#openapi.json', { with: { type: 'json' } });
  const body = JSON.stringify(parsed);
  return { body, gzipped: await gzipped(body), etag: `W/"${sha256Hex(body).slice(0, 32)}"` };
}
