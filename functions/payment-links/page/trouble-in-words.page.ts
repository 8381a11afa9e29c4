import { languageOf } from '#functions/payment-links/page/language.page.ts';
import type { TroublePage } from '#functions/payment-links/page/link-view.model.ts';
import { renderTrouble } from '#functions/payment-links/page/render-link-page.page.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

const TOLD: ReadonlySet<number> = new Set([400, 403, 404, 413, 429, 500]);

/** What goes wrong at a page for people, as a page. */
export function troubleInWords(status: number, retryAfter: number | undefined, { headers }: RawRequest): RawReply {
  const told = (TOLD.has(status) ? status : 500) as TroublePage['status'];
  const page = renderTrouble({ status: told, ...(retryAfter !== undefined && { retryAfter }) }, languageOf(headers['accept-language']), {
    secure: headers['x-forwarded-proto'] === 'https',
  });
  return { status, headers: page.headers, body: page.html };
}
