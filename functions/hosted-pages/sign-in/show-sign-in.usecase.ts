import { askSheet, linkSheet } from '#functions/hosted-pages/sign-in/contents.page.ts';
import { documentOf, type Sheet } from '#functions/hosted-pages/sign-in/document.page.ts';
import { isToken } from '#shared/domain/accounts/sign-in.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The sign-in page, with a mailed link or without. A GET changes nothing. */
export async function showSignIn(request: RawRequest, { config }: Pick<Deps, 'config'>): Promise<RawReply> {
  return documentOf({ ...sheetFor(request.query.token), next: config.dashboardUrl }, request);
}

function sheetFor(token: string | undefined): Sheet {
  if (token === undefined) return askSheet();
  return isToken(token)
    ? linkSheet(token)
    : askSheet('This sign-in link is not whole. Open it again from the mail, or ask for another one.');
}
