import type { SignInMessages } from '#functions/hosted-pages/sign-in/messages.model.ts';
import {
  mailedLinkContent,
  messagesFor,
  renderSignInPage,
  type SignInPage,
  signInContent,
} from '#functions/hosted-pages/sign-in/sign-in.page.ts';
import { isSignInToken } from '#shared/domain/accounts/sign-in.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** The sign-in page, with a mailed link or without. A GET changes nothing. */
export async function showSignIn(request: RawRequest, { config }: Pick<Deps, 'config'>): Promise<RawResponse> {
  const page = contentFor(request.query.token, messagesFor(request));
  return renderSignInPage({ ...page, next: config.dashboardUrl }, request);
}

function contentFor(token: string | undefined, messages: SignInMessages): SignInPage {
  if (token === undefined) return signInContent('', messages);
  return isSignInToken(token) ? mailedLinkContent(token, messages) : signInContent(messages.incomplete, messages);
}
