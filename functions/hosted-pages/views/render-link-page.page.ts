import { actionPage } from '#functions/hosted-pages/views/action.page.ts';
import { contentSecurityPolicy, documentOf, type PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { errorContent } from '#functions/hosted-pages/views/error-page.page.ts';
import { type I18n, i18nFor, type Language } from '#functions/hosted-pages/views/i18n.page.ts';
import {
  ERROR_STATUSES,
  type ErrorPage,
  type LinkView,
  type Page,
} from '#functions/hosted-pages/views/link-view.model.ts';
import { hasTimes, LOCAL_TIME_SCRIPT, LOCAL_TIME_SCRIPT_HASH } from '#functions/hosted-pages/views/local-time.page.ts';
import {
  closedPage,
  failedPage,
  noticePage,
  overpaidPage,
  processingPage,
  refundedPage,
  succeededPage,
} from '#functions/hosted-pages/views/outcome.page.ts';
import { logoSource, sellerFooter } from '#functions/hosted-pages/views/seller.page.ts';
import { formPage } from '#functions/hosted-pages/views/start-form.page.ts';
import { stoppedPage } from '#functions/hosted-pages/views/stopped.page.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import { html, pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** Whether the page is served over https, which it cannot see itself. */
export type SiteOptions = { readonly secure: boolean };

const INSECURE_SITE: SiteOptions = { secure: false };

/** One page of a payment link, or of a payment without one, with its headers. */
export function renderLinkPage(view: LinkView, language: Language, site = INSECURE_SITE): Page {
  const i18n = i18nFor(language);
  const page = contentOf(view, i18n);
  const content = html`${page.content}\n${sellerFooter(view, i18n)}`;
  return render({ ...page, ...logoSource(view.link), content }, language, site);
}

/** A page about an error, where no link is known. */
export const renderError = (error: ErrorPage, language: Language, site = INSECURE_SITE): Page =>
  render(errorContent(error, i18nFor(language)), language, site);

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
    case 'stopped':
    case 'unconfirmed':
      return stoppedPage(view, i18n);
    case 'processing':
      return processingPage(view, i18n);
    case 'review':
    case 'canceled':
    case 'unfinished':
      return noticePage(view, i18n);
    case 'refunded':
      return refundedPage(view, i18n);
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
function render(page: PageContent, language: Language, site: SiteOptions): Page {
  const content = html`${page.content}`;
  const isTimed = hasTimes(content.toString());
  const { formTarget, imageSource } = page;
  const script = isTimed ? { script: LOCAL_TIME_SCRIPT } : {};
  const scriptHash = isTimed ? { scriptHash: LOCAL_TIME_SCRIPT_HASH } : {};
  return {
    html: documentOf({ ...page, content }, { language, ...script }),
    headers: {
      ...pageHeaders(site.secure),
      'content-language': language,
      vary: 'accept-language, cookie',
      'content-security-policy': contentSecurityPolicy({ formTarget, imageSource, ...scriptHash }),
      'referrer-policy': 'same-origin',
    },
  };
}
