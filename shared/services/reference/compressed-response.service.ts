import { acceptsGzip } from '#shared/kernel/gzip.ts';
import type { RawResponse } from '#shared/ports/raw-request.port.ts';
import type { StaticFile } from '#shared/ports/static-file.port.ts';

/** The same for everybody, and compressed once. */
export type CompressedContent = {
  readonly body: string | Buffer;
  readonly gzipped: Buffer;
  /** Weak, as the compressed bytes and the plain ones are the same content. */
  readonly etag: string;
};

type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Sends what the caller does not have yet, compressed if the caller can read that. */
export function compressedResponse(
  asked: RequestHeaders,
  { body, gzipped, etag }: CompressedContent,
  headers: Readonly<Record<string, string>>,
): RawResponse {
  const common = { ...headers, etag, vary: 'accept-encoding' };
  if (isKnown(asked['if-none-match'], etag)) return { status: 304, headers: common };
  if (acceptsGzip(asked['accept-encoding']))
    return { status: 200, headers: { ...common, 'content-encoding': 'gzip' }, bytes: gzipped };
  return { status: 200, headers: common, ...(typeof body === 'string' ? { body } : { bytes: body }) };
}

/** A file whose name holds a hash of its content, so that it never changes. */
export const assetResponse = (asked: RequestHeaders, file: StaticFile): RawResponse =>
  compressedResponse(asked, file, {
    'content-type': file.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });

const listOf = (header = ''): readonly string[] => header.split(',').map((part) => part.trim());

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  listOf(ifNoneMatch).some((known) => known === '*' || `W/${known.replace(/^W\//, '')}` === etag);
