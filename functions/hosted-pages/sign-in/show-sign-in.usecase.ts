import {
  mailedLinkContent,
  renderSignInPage,
  type SignInPage,
  signInContent,
} from '#functions/hosted-pages/sign-in/sign-in.page.ts';
import { isSignInToken } from '#shared/domain/accounts/sign-in.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** The sign-in page, with a mailed link or without. A GET changes nothing. */
export async function showSignIn(request: RawRequest, { config }: Pick<Deps, 'config'>): Promise<RawResponse> {
  return renderSignInPage({ ...contentFor(request.query.token), next: config.dashboardUrl }, request);
}

function contentFor(token: string | undefined): SignInPage {
  if (token === undefined) return signInContent();
  return isSignInToken(token)
    ? mailedLinkContent(token)
    : signInContent('This sign-in link is incomplete. Open it again from the email, or request a new one.');
}
