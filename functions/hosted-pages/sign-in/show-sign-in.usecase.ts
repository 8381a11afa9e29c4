import type { SignInMessages } from '#functions/hosted-pages/sign-in/messages.model.ts';
import { nextPage } from '#functions/hosted-pages/sign-in/next-page.rules.ts';
import {
  mailedLinkContent,
  messagesFor,
  renderSignInPage,
  type SignInPage,
  signInContent,
} from '#functions/hosted-pages/sign-in/sign-in.page.ts';
import { isSignInToken } from '#shared/domain/accounts/sign-in.model.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

type SignInPageDeps = Pick<Deps, 'config' | 'signInLinks' | 'clock'>;

/** The sign-in page, with a mailed link or without. A GET changes nothing. */
export async function showSignIn(request: RawRequest, deps: SignInPageDeps): Promise<RawResponse> {
  const page = await contentFor(request.query.token, messagesFor(request), deps);
  return renderSignInPage({ ...page, next: nextPage(request.query.next, deps.config.dashboardUrl) }, request);
}

async function contentFor(
  token: string | undefined,
  messages: SignInMessages,
  { signInLinks, clock }: SignInPageDeps,
): Promise<SignInPage> {
  if (token === undefined) return signInContent('', messages);
  if (!isSignInToken(token)) return signInContent(messages.incomplete, messages);
  const link = await signInLinks.get(sha256Hex(token), clock.now());
  return mailedLinkContent(token, link?.email, messages);
}
