import { troubleSheet } from '#functions/hosted-pages/sign-in/contents.page.ts';
import { documentOf } from '#functions/hosted-pages/sign-in/document.page.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

/** What goes wrong at the page, as a page. */
export const troubleInWords = (status: number, retryAfter: number | undefined, request: RawRequest): RawReply =>
  documentOf(troubleSheet(status, retryAfter), request);
