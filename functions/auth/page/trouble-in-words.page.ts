import { documentOf } from '#functions/auth/page/document.page.ts';
import { troubleSheet } from '#functions/auth/page/sheets.page.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

/** What goes wrong at the page, as a page. */
export const troubleInWords = (status: number, retryAfter: number | undefined, request: RawRequest): RawReply =>
  documentOf(troubleSheet(status, retryAfter), request);
