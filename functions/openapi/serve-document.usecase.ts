import type { RawResponse } from '#shared/ports/raw-request.port.ts';

/** Read lazily, once, to keep it out of cold starts. */
let text: Promise<string> | undefined;

/** The committed document; that it is up to date is tested, so nothing is built here. Any page may read it. */
export async function serveDocument(): Promise<RawResponse> {
  text ??= import('#openapi.json', { with: { type: 'json' } }).then(({ default: document }) =>
    JSON.stringify(document),
  );
  return {
    status: 200,
    headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' },
    body: await text,
  };
}
