import { factsOf, shownPage, startPage, type Visit, whyClosed } from '#functions/hosted-pages/link-page.ts';
import { newForm, paymentAddress, shownPayment } from '#functions/hosted-pages/link-session.ts';
import type { Waiting } from '#functions/hosted-pages/views/link-view.model.ts';
import { shouldAskOnRead } from '#shared/domain/payments/duties.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { RawReply } from '#shared/http/route.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { settleLinkSlot } from '#shared/services/links/settle-link-slot.service.ts';
import { askNow } from '#shared/services/payments/reconcile-payment.service.ts';

/** The state of a link's payment: the customer's next action, or the outcome. */
export async function paymentPage(visit: Visit, seen: Payment, deps: Deps): Promise<RawReply> {
  const asked = shouldAskOnRead(seen, deps.clock.now()) ? await askNow(seen, deps) : seen;
  const payment = await settleLinkSlot(asked, deps);
  const link = factsOf(visit);
  switch (payment.status) {
    case 'requires_action':
      return actionPage(visit, payment, deps);
    case 'created':
    case 'processing':
      return shownPage(visit, { kind: 'processing', link, waiting: waitingAt(visit, payment, deps) }, deps);
    case 'succeeded':
    case 'refunded':
      if (payment.link_hold?.became === 'overpaid') return shownPage(visit, { kind: 'overpaid', link }, deps);
      return shownPage(
        visit,
        { kind: 'succeeded', link, payment_id: payment.id, paid_at: payment.link_hold?.at ?? payment.updated_at },
        deps,
      );
    case 'failed':
    case 'canceled':
      return tryAgainPage(visit, payment, deps);
  }
}

function actionPage(visit: Visit, payment: Payment, deps: Deps): RawReply {
  const link = factsOf(visit);
  const waiting = waitingAt(visit, payment, deps);
  if (!payment.next_action) return shownPage(visit, { kind: 'processing', link, waiting }, deps);
  const { csrf, cookies } = newForm(visit.request, link.id, deps.config);
  const refused = visit.request.query.refused !== undefined;
  const resumed = shownPayment(visit.request, deps.config)?.from === 'cookie';
  return {
    ...shownPage(visit, { kind: 'action', link, action: payment.next_action, csrf, refused, resumed, waiting }, deps),
    cookies,
  };
}

/** The URL that stops a page's automatic reload, or resumes it. */
function waitingAt({ request, link }: Visit, payment: Payment, { config }: Pick<Deps, 'config'>): Waiting {
  const paused = request.query.still !== undefined;
  const address = paymentAddress(link.id, payment.id, config);
  return { paused, other: paused ? address : `${address}&still=1` };
}

/** The link was read before this payment freed its slot, so it is read again. */
async function tryAgainPage(visit: Visit, payment: Payment, deps: Deps): Promise<RawReply> {
  const fresh = { ...visit, link: (await deps.paymentLinks.byId(visit.link.id)) ?? visit.link };
  const { failure } = payment;
  if (!whyClosed(fresh.link, deps.clock.now()))
    return startPage(fresh, failure ? { kind: 'declined', failure } : { kind: 'canceled' }, deps);
  return payment.status === 'failed'
    ? shownPage(fresh, { kind: 'failed', link: factsOf(fresh), failure }, deps)
    : startPage(fresh, null, deps);
}
