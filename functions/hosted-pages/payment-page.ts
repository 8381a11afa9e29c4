import { closedReason, factsOf, type LinkRequest, startPage, viewPage } from '#functions/hosted-pages/link-page.ts';
import { newForm, paymentUrl, sessionPayment } from '#functions/hosted-pages/link-session.ts';
import type { AutoRefresh } from '#functions/hosted-pages/views/link-view.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { shouldPollOnRead } from '#shared/domain/payments/reconciliation.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawResponse } from '#shared/ports/raw-request.port.ts';
import { settleLinkSlot } from '#shared/services/links/settle-link-slot.service.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';
import { pollNow } from '#shared/services/payments/reconcile-payment.service.ts';

type Needs = Pick<Deps, 'config'>;

/** The status of a link's payment: the customer's next action, or the outcome. */
export async function paymentPage(
  linkRequest: LinkRequest,
  seen: Payment,
  deps: ChargeDeps & Pick<Deps, 'organizations' | 'paymentLinks'>,
): Promise<RawResponse> {
  const current = shouldPollOnRead(seen, deps.clock.now()) ? await pollNow(seen, deps) : seen;
  const payment = await settleLinkSlot(current, deps);
  const link = factsOf(linkRequest);
  switch (payment.status) {
    case 'requires_action':
      return actionPage(linkRequest, payment, deps);
    case 'created':
    case 'processing':
      return viewPage(
        linkRequest,
        { kind: 'processing', link, refresh: autoRefreshOf(linkRequest, payment, deps) },
        deps,
      );
    case 'succeeded':
    case 'refunded':
      if (payment.link_hold?.became === 'overpaid') return viewPage(linkRequest, { kind: 'overpaid', link }, deps);
      return viewPage(
        linkRequest,
        { kind: 'succeeded', link, payment_id: payment.id, paid_at: payment.link_hold?.at ?? payment.updated_at },
        deps,
      );
    case 'failed':
    case 'canceled':
      return tryAgainPage(linkRequest, payment, deps);
  }
}

function actionPage(linkRequest: LinkRequest, payment: Payment, deps: Needs): RawResponse {
  const link = factsOf(linkRequest);
  const refresh = autoRefreshOf(linkRequest, payment, deps);
  if (!payment.next_action) return viewPage(linkRequest, { kind: 'processing', link, refresh }, deps);
  const { csrf, cookies } = newForm(linkRequest.request, link.id, deps.config);
  const refused = linkRequest.request.query.refused !== undefined;
  const resumed = sessionPayment(linkRequest.request, deps.config)?.from === 'cookie';
  return {
    ...viewPage(
      linkRequest,
      { kind: 'action', link, action: payment.next_action, csrf, refused, resumed, refresh },
      deps,
    ),
    cookies,
  };
}

/** Whether the visitor has stopped the automatic reload, and the URL that toggles it. */
function autoRefreshOf({ request, link }: LinkRequest, payment: Payment, { config }: Needs): AutoRefresh {
  const paused = request.query.still !== undefined;
  const url = paymentUrl(link.id, payment.id, config);
  return { paused, toggleUrl: paused ? url : `${url}&still=1` };
}

/** The link was read before this payment freed its slot, so it is read again. */
async function tryAgainPage(
  linkRequest: LinkRequest,
  payment: Payment,
  deps: Pick<Deps, 'paymentLinks' | 'clock' | 'config' | 'psp'>,
): Promise<RawResponse> {
  const fresh = { ...linkRequest, link: (await deps.paymentLinks.byId(linkRequest.link.id)) ?? linkRequest.link };
  const { failure } = payment;
  if (!closedReason(fresh.link, deps.clock.now()))
    return startPage(fresh, failure ? { kind: 'declined', failure } : { kind: 'canceled' }, deps);
  return payment.status === 'failed'
    ? viewPage(fresh, { kind: 'failed', link: factsOf(fresh), failure }, deps)
    : startPage(fresh, null, deps);
}
