import { actionPage } from '#functions/hosted-pages/views/action.page.ts';
import { contentSecurityPolicy, documentOf, type PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { errorContent, thanksContent } from '#functions/hosted-pages/views/error-page.page.ts';
import { type I18n, i18nFor, type Language, languageOf } from '#functions/hosted-pages/views/i18n.page.ts';
import {
  ERROR_STATUSES,
  type ErrorPage,
  type LinkView,
  type Page,
} from '#functions/hosted-pages/views/link-view.model.ts';
import {
  closedPage,
  failedPage,
  overpaidPage,
  processingPage,
  succeededPage,
} from '#functions/hosted-pages/views/outcome.page.ts';
import { formPage } from '#functions/hosted-pages/views/start-form.page.ts';
import { pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** Whether the page is served over https, which it cannot see itself. */
export type SiteOptions = { readonly secure: boolean };

const INSECURE_SITE: SiteOptions = { secure: false };

/** One page of a payment link, with its headers. */
export const renderLinkPage = (view: LinkView, language: Language, site = INSECURE_SITE): Page =>
  render(contentOf(view, i18nFor(language)), language, site);

/** A page about an error, where no link is known. */
export const renderError = (error: ErrorPage, language: Language, site = INSECURE_SITE): Page =>
  render(errorContent(error, i18nFor(language)), language, site);

/** For customers who return from a provider where the merchant gave no `return_url`. */
export const renderThanks = (language: Language, site = INSECURE_SITE): Page =>
  render(thanksContent(i18nFor(language)), language, site);

/** Answers a request that failed with a page instead of JSON. */
export function renderErrorResponse(
  status: number,
  retryAfter: number | undefined,
  { headers }: Pick<RawRequest, 'headers'>,
): RawResponse {
  const pageStatus = ERROR_STATUSES.find((each) => each === status) ?? 500;
  const error = { status: pageStatus, ...(retryAfter !== undefined && { retryAfter }) };
  const site = { secure: headers['x-forwarded-proto'] === 'https' };
  const page = renderError(error, languageOf(headers['accept-language']), site);
  return { status, headers: page.headers, body: page.html };
}

function contentOf(view: LinkView, i18n: I18n): PageContent {
  switch (view.kind) {
    case 'form':
      return formPage(view, i18n);
    case 'closed':
      return closedPage(view, i18n);
    case 'action':
      return actionPage(view, i18n);
    case 'processing':
      return processingPage(view, i18n);
    case 'succeeded':
      return succeededPage(view, i18n);
    case 'overpaid':
      return overpaidPage(view, i18n);
    case 'failed':
      return failedPage(view, i18n);
  }
}

/**
 * The page's URL is a credential for the payment, so no other site gets it as a referrer. The policy is `same-origin`
 * and not `no-referrer`: with the latter, browsers omit the Origin of our own forms, which we check.
 */
const render = (content: PageContent, language: Language, site: SiteOptions): Page => ({
  html: documentOf(content, { language }),
  headers: {
    ...pageHeaders(site.secure),
    'content-language': language,
    vary: 'accept-language, cookie',
    'content-security-policy': contentSecurityPolicy({ formTarget: content.formTarget }),
    'referrer-policy': 'same-origin',
  },
});
