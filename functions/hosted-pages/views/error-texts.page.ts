import { languageOf } from '#functions/hosted-pages/views/language.page.ts';
import type { TroublePage } from '#functions/hosted-pages/views/link-view.model.ts';
import { renderTrouble } from '#functions/hosted-pages/views/render-link-page.page.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

const TOLD: ReadonlySet<number> = new Set([400, 403, 404, 413, 429, 500]);

/** What goes wrong at a page for people, as a page. */
export function troubleInWords(status: number, retryAfter: number | undefined, { headers }: RawRequest): RawReply {
  const told = (TOLD.has(status) ? status : 500) as TroublePage['status'];
  const page = renderTrouble(
    { status: told, ...(retryAfter !== undefined && { retryAfter }) },
    languageOf(headers['accept-language']),
    {
      secure: headers['x-forwarded-proto'] === 'https',
    },
  );
  return { status, headers: page.headers, body: page.html };
}
