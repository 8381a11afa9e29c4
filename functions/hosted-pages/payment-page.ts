import { closedReason, factsOf, type LinkRequest, startPage, viewPage } from '#functions/hosted-pages/link-page.ts';
import { arrivalOf, newForm, paymentUrl } from '#functions/hosted-pages/link-session.ts';
import type { AutoRefresh, LinkSummary, LinkView, Notice } from '#functions/hosted-pages/views/link-view.model.ts';
import { paidAmount } from '#shared/domain/payments/capture.rules.ts';
import { isPaid } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { shouldPollOnRead } from '#shared/domain/payments/reconciliation.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawResponse } from '#shared/ports/raw-request.port.ts';
import { settleLinkSlot } from '#shared/services/links/settle-link-slot.service.ts';
import { returnUrlOf } from '#shared/services/payments/charge-order.service.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';
import { pollNow } from '#shared/services/payments/poll-payment.service.ts';

type Needs = Pick<Deps, 'config'>;

/** The status of a link's payment: the customer's next action, or the outcome. */
export async function paymentPage(
  linkRequest: LinkRequest,
  seen: Payment,
  deps: ChargeDeps & Pick<Deps, 'organizations' | 'paymentLinks'>,
): Promise<RawResponse> {
  const payment = linkRequest.request.method === 'HEAD' ? seen : await settled(seen, deps);
  const link = factsOf(linkRequest);
  switch (payment.status) {
    case 'requires_action':
      return actionPage(linkRequest, payment, deps);
    case 'created':
    case 'processing':
      if (payment.review) return viewPage(linkRequest, { kind: 'review', link }, deps);
      return viewPage(
        linkRequest,
        { kind: 'processing', link, refresh: autoRefreshOf(linkRequest, payment, deps) },
        deps,
      );
    case 'authorized':
    case 'succeeded':
    case 'refunded':
      if (payment.link_hold?.became === 'overpaid') return viewPage(linkRequest, { kind: 'overpaid', link }, deps);
      return viewPage(linkRequest, paidView(payment, link), deps);
    case 'failed':
    case 'canceled':
      return tryAgainPage(linkRequest, payment, deps);
  }
}

/** What the provider says by now, if its answer is due. Link checkers and mail scanners send HEAD: that settles nothing. */
async function settled(
  seen: Payment,
  deps: ChargeDeps & Pick<Deps, 'organizations' | 'paymentLinks'>,
): Promise<Payment> {
  const current = shouldPollOnRead(seen, deps.clock.now()) ? await pollNow(seen, deps) : seen;
  return settleLinkSlot(current, deps);
}

/** The customer paid. What was refunded since is shown, and nobody is thanked for what they got back. */
export function paidView(payment: Payment, link: LinkSummary): LinkView {
  const { id: payment_id, amount_refunded, link_hold, updated_at } = payment;
  // Of a payment that is captured later, what the customer has agreed to, and then what was taken of it.
  const amount = payment.status === 'authorized' ? (payment.authorized_amount ?? link.amount) : paidAmount(payment);
  const paid = { ...link, amount };
  if (payment.status === 'refunded') return { kind: 'refunded', link: paid, payment_id };
  const refunded = amount_refunded > 0 && { refunded: amount_refunded };
  return {
    kind: 'succeeded',
    link: paid,
    payment_id,
    paid_at: link_hold?.at ?? paidAt(payment) ?? updated_at,
    ...refunded,
  };
}

/** The payment's own time changes with each refund. */
const paidAt = ({ attempts }: Payment): string | undefined => attempts.find(isPaid)?.started_at;

/**
 * The provider opens automatically only right after the customer chose to pay. Whoever comes to the page in another way
 * decides: otherwise they could never leave the provider.
 */
function actionPage(linkRequest: LinkRequest, payment: Payment, deps: Needs): RawResponse {
  const { request } = linkRequest;
  const link = factsOf(linkRequest);
  const refresh = autoRefreshOf(linkRequest, payment, deps);
  const action = payment.next_action;
  if (!action) return viewPage(linkRequest, { kind: 'processing', link, refresh }, deps);
  const { csrf, cookies } = newForm(request, link.id, deps.config);
  const arrival = arrivalOf(request);
  const isBack = arrival === 'stopped' || arrival === 'unconfirmed';
  const view: LinkView =
    isBack && action.type === 'redirect'
      ? { kind: arrival, link, action, csrf, checkUrl: returnUrlOf(payment.id, deps.config) }
      : {
          kind: 'action',
          link,
          action,
          csrf,
          refused: request.query.refused !== undefined,
          resumed: arrival !== 'go',
          refresh,
        };
  return { ...viewPage(linkRequest, view, deps), cookies };
}

/** Whether the visitor has stopped the automatic reload, and the URL that toggles it. */
function autoRefreshOf({ request, link }: LinkRequest, payment: Payment, { config }: Needs): AutoRefresh {
  const paused = request.query.still !== undefined;
  const url = paymentUrl(link.id, payment.id, config, arrivalOf(request));
  return { paused, toggleUrl: paused ? url : `${url}&still=1` };
}

/** The link was read before this payment freed its slot, so it is read again. */
async function tryAgainPage(
  linkRequest: LinkRequest,
  payment: Payment,
  deps: Pick<Deps, 'paymentLinks' | 'clock' | 'config' | 'psp'>,
): Promise<RawResponse> {
  const fresh = { ...linkRequest, link: (await deps.paymentLinks.byId(linkRequest.link.id)) ?? linkRequest.link };
  const { failure, method } = payment;
  if (!closedReason(fresh.link, deps.clock.now())) return startPage(fresh, noticeOf(payment), deps);
  return payment.status === 'failed'
    ? viewPage(fresh, { kind: 'failed', link: factsOf(fresh), failure, method }, deps)
    : startPage(fresh, null, deps);
}

/** A customer who gave up is not told that something failed. */
function noticeOf({ status, failure, method }: Payment): Notice {
  if (status === 'canceled' || !failure || failure.code === 'customer_canceled') return { kind: 'canceled' };
  return { kind: 'declined', failure, method };
}
