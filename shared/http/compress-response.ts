import type { ApiResult } from '#shared/http/request.ts';
import { acceptsGzip, gzipped } from '#shared/kernel/gzip.ts';

/** The fastest one: for JSON the higher levels take three times as long and save a twentieth. */
const LEVEL = 1;

/** Loaded with the first response that is long enough: a payment's is not. */
export async function compressResponse(acceptEncoding: string | undefined, result: ApiResult): Promise<ApiResult> {
  const { headers = {}, body = '' } = result;
  if (headers['content-encoding'] !== undefined) return result;
  // Whether or not this one is compressed: a cache must not give either form to somebody else.
  const vary = [...new Set([...String(headers.vary ?? '').split(/,\s*/), 'accept-encoding'])]
    .filter(Boolean)
    .join(', ');
  if (!acceptsGzip(acceptEncoding)) return { ...result, headers: { ...headers, vary } };
  return {
    ...result,
    headers: { ...headers, ...weakTag(headers.etag), vary, 'content-encoding': 'gzip' },
    body: (await gzipped(body, LEVEL)).toString('base64'),
    isBase64Encoded: true,
  };
}

/** A strong tag promises the same bytes, and these are others. */
function weakTag(etag: string | number | boolean | undefined): { readonly etag?: string } {
  if (etag === undefined) return {};
  return { etag: `W/${String(etag).replace(/^W\//, '')}` };
}
