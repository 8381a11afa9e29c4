import { gzipText } from '#shared/kernel/gzip.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

type StoredDocument = { readonly text: string; readonly compressed: Buffer; readonly etag: string };

/** Read and compressed lazily, once, to keep it out of cold starts. */
let document: Promise<StoredDocument> | undefined;

/**
 * The committed document; that it is up to date is tested, so nothing is built here. Any page may read it. It is large,
 * so that most requests should get a tenth of it, or nothing.
 */
export async function serveDocument({ headers }: Pick<RawRequest, 'headers'>): Promise<RawResponse> {
  document ??= loadDocument();
  const { text, compressed, etag } = await document;
  const common = {
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    etag,
    vary: 'accept-encoding',
  };
  if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: common };
  if (!acceptsGzip(headers['accept-encoding'])) return { status: 200, headers: common, body: text };
  return { status: 200, headers: { ...common, 'content-encoding': 'gzip' }, bytes: compressed };
}

async function loadDocument(): Promise<StoredDocument> {
  const { default: parsed } = await import('#openapi.json', { with: { type: 'json' } });
  const text = JSON.stringify(parsed);
  // A weak tag, as the compressed bytes and the plain ones are the same document.
  return { text, compressed: await gzipText(text), etag: `W/"${sha256Hex(text).slice(0, 32)}"` };
}

const listOf = (header = ''): readonly string[] => header.split(',').map((part) => part.trim());

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  listOf(ifNoneMatch).some((known) => known === '*' || `W/${known.replace(/^W\//, '')}` === etag);

const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  listOf(acceptEncoding).some((part) => /^(?:gzip|\*)(?:\s*;\s*q=(?:1|0?\.\d*[1-9]\d*|1\.0*))?$/i.test(part));
