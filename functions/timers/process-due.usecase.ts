import { type DueBody, DueMessage } from '#functions/timers/due-message.schema.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { processDueLink } from '#shared/services/links/process-due-link.service.ts';
import { reconcilePayment } from '#shared/services/payments/reconcile-payment.service.ts';
import { processDueAbTest } from '#shared/services/routing/ab-tests.service.ts';
import { purgeConnection } from '#shared/services/routing/purge-connection.service.ts';

/** Longer than a message may wait in its queue. If the message is lost, the event falls due again. */
const CLAIM_DURATION = 15 * MINUTE;

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<DueBody['kind'], (due: DueBody, deps: Deps) => Promise<unknown>>> = {
  payment: async ({ id }, deps) => {
    const payment = await deps.payments.byId(id);
    return payment && reconcilePayment(payment, deps);
  },
  payment_link: async ({ id }, deps) => {
    const link = await deps.paymentLinks.byId(id);
    return link && processDueLink(link, deps);
  },
  ab_test: ({ id, org_id = '' }, deps) => processDueAbTest({ orgId: org_id, id }, deps),
  connection: ({ id, org_id = '' }, deps) => purgeConnection({ orgId: org_id, id }, deps),
  event: redeliverEvent,
};

/** Handlers read the stored record, because the index lags behind and the work may be done already. */
export async function processDue(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const due = DueMessage.parse(body);
  await HANDLERS[due.kind](due, deps);
}

async function redeliverEvent(
  { id, at, org_id: orgId = '' }: DueBody,
  deps: Pick<Deps, 'clock' | 'events' | 'queue'>,
): Promise<void> {
  const event = await deps.events.get(orgId, id);
  if (event?.status !== 'pending') return;
  // Claimed before the message is sent, so that only one of several sweeps sends it. After a crash it falls due again.
  if (!(await deps.events.claimDue(event, at, plus(deps.clock.now(), CLAIM_DURATION)))) return;
  await deps.queue.send('webhook-delivery', [
    { body: { org_id: orgId, event_id: id, tries: event.tries }, group: orgId },
  ]);
}
