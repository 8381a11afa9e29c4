import { payeeOf, siteOf } from '#functions/hosted-pages/link-page.ts';
import { type Arrival, returnFormMac } from '#functions/hosted-pages/link-session.ts';
import { paidView } from '#functions/hosted-pages/payment-page.ts';
import { mayCustomerRetry } from '#functions/hosted-pages/retry-returned-payment.rules.ts';
import type {
  AfterFailure,
  AutoRefresh,
  LinkSummary,
  LinkView,
} from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { makeToken, returnUrlOf } from '#shared/services/payments/charge-order.service.ts';

type ReturnPageDeps = Pick<Deps, 'clock' | 'config' | 'organizations'>;
type Visit = {
  /** How the customer comes, if the payment waits for them. */
  readonly arrival: Arrival | undefined;
  readonly request: RawRequest;
};

/** How a payment stands that came from no link, and whose merchant has no page to return to. */
export async function returnPage(payment: Payment, visit: Visit, deps: ReturnPageDeps): Promise<RawResponse> {
  const organization = await deps.organizations.byId(payment.org_id);
  const { id, amount, currency, description, mode } = payment;
  const summary = { id, ...payeeOf(organization), amount, currency, description, mode, expires_at: null };
  const view = viewOf(payment, summary, visit, deps);
  const { html, headers } = renderLinkPage(
    view,
    languageOf(visit.request.headers['accept-language']),
    siteOf(deps.config),
  );
  return { status: 200, headers, body: html };
}

function viewOf(payment: Payment, link: LinkSummary, visit: Visit, deps: ReturnPageDeps): LinkView {
  switch (payment.status) {
    case 'requires_action':
      return actionView(payment, link, visit, deps);
    case 'created':
    case 'processing':
      if (payment.review) return { kind: 'review', link };
      return { kind: 'processing', link, refresh: autoRefreshOf(payment, visit, deps) };
    case 'authorized':
    case 'succeeded':
    case 'refunded':
      return paidView(payment, link);
    case 'failed':
      return {
        kind: 'failed',
        link,
        failure: payment.failure,
        method: payment.method,
        next: afterFailure(payment, deps),
      };
    case 'canceled':
      return { kind: 'canceled', link };
  }
}

function actionView(payment: Payment, link: LinkSummary, visit: Visit, deps: ReturnPageDeps): LinkView {
  const action = payment.next_action;
  const refresh = autoRefreshOf(payment, visit, deps);
  if (payment.review) return { kind: 'review', link };
  if (!action) return { kind: 'processing', link, refresh };
  const { arrival } = visit;
  if (action.type === 'redirect' && (arrival === 'stopped' || arrival === 'unconfirmed'))
    return { kind: arrival, link, action, csrf: null, checkUrl: returnUrlOf(payment.id, deps.config) };
  if (action.type === 'collect' || action.type === 'sdk') return { kind: 'unfinished', link };
  return { kind: 'action', link, action, csrf: null, refused: false, refresh };
}

/** The page reloads without the provider's parameters: they were used. */
function autoRefreshOf(payment: Payment, { request }: Visit, { config }: ReturnPageDeps): AutoRefresh {
  const paused = request.query.still !== undefined;
  const reloadUrl = `${returnUrlOf(payment.id, config)}&again=1`;
  return { paused, reloadUrl, toggleUrl: paused ? reloadUrl : `${reloadUrl}&still=1` };
}

function afterFailure(payment: Payment, { clock, config }: ReturnPageDeps): AfterFailure {
  if (payment.invoice_id !== undefined) return { kind: 'invoice' };
  return mayCustomerRetry(payment, clock.now())
    ? { kind: 'again', csrf: makeToken(returnFormMac(payment.id, payment.attempts.length), config) }
    : { kind: 'shop' };
}
