import { isAccountLinkAction } from '#functions/hosted-pages/account-links/account-link.model.ts';
import { renderAccountLink, renderIncompleteLink } from '#functions/hosted-pages/account-links/account-link.page.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** A sign-in token, or one of a recovery, which names its user first. */
const TOKEN = /^(usr_[0-9a-z]{26}\.)?[A-Za-z0-9]{43}$/;

/** The page of a mailed link that changes an account. A GET changes nothing. */
export async function showAccountLink(request: RawRequest): Promise<RawResponse> {
  const { action, token = '' } = request.query;
  return isAccountLinkAction(action) && TOKEN.test(token)
    ? renderAccountLink(action, token, request)
    : renderIncompleteLink(request);
}
