import { type DueBody, DueMessage } from '#functions/timers/due-message.schema.ts';
import { checkAgainAt } from '#shared/domain/webhooks/delivery.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { pollDisputes, startDisputePolling } from '#shared/services/disputes/poll-disputes.service.ts';
import { type DueDisputeDeps, processDueDispute } from '#shared/services/disputes/process-due-dispute.service.ts';
import { processDueLink } from '#shared/services/links/process-due-link.service.ts';
import type { EraseDeps } from '#shared/services/payment-methods/erase-customer.service.ts';
import { type ReconcileDeps, reconcilePayment } from '#shared/services/payments/reconcile-payment.service.ts';
import { catchUpTotals } from '#shared/services/reporting/catch-up-totals.service.ts';
import { processDueAbTest } from '#shared/services/routing/ab-tests.service.ts';
import { purgeConnection } from '#shared/services/routing/purge-connection.service.ts';

/** Longer than a message may wait in its queue. If the message is lost, the event falls due again. */
const CLAIM_DURATION = 15 * MINUTE;

type ProcessDueDeps = ReconcileDeps &
  RedeliverDeps &
  DueDisputeDeps &
  EraseDeps &
  Pick<Deps, 'abTests' | 'connections' | 'disputePolls' | 'paymentLinks' | 'totals'>;
type RedeliverDeps = Pick<Deps, 'clock' | 'events' | 'queue'>;

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<DueBody['kind'], (due: DueBody, deps: ProcessDueDeps) => Promise<unknown>>> = {
  payment: async ({ id }, deps) => {
    const payment = await deps.payments.byId(id);
    const { org_id, connection_id, provider } = (payment && (await reconcilePayment(payment, deps))) ?? {};
    if (org_id && connection_id && provider) await startDisputePolling({ org_id, id: connection_id, provider }, deps);
  },
  payment_link: async ({ id }, deps) => {
    const link = await deps.paymentLinks.byId(id);
    return link && processDueLink(link, deps);
  },
  ab_test: ({ id, org_id = '' }, deps) => processDueAbTest({ orgId: org_id, id }, deps),
  connection: ({ id, org_id = '' }, deps) => purgeConnection({ orgId: org_id, id }, deps),
  event: redeliverEvent,
  held_totals: ({ id }, deps) => catchUpTotals(id, deps),
  dispute: async ({ id }, deps) => {
    const dispute = await deps.disputes.byId(id);
    return dispute && processDueDispute(dispute, deps);
  },
  erasure: async ({ id }, deps) => {
    const erasure = await deps.erasures.byId(id);
    if (!erasure) return;
    // Loaded when it is needed: few customers are erased.
    const { processErasure } = await import('#shared/services/payment-methods/erase-customer.service.ts');
    return processErasure(erasure, deps);
  },
  dispute_poll: ({ id, org_id = '' }, deps) => pollDisputes({ orgId: org_id, connectionId: id }, deps),
};

/** Handlers read the stored record, because the index lags behind and the work may be done already. */
export async function processDue(body: Readonly<Record<string, unknown>>, deps: ProcessDueDeps): Promise<void> {
  const due = DueMessage.parse(body);
  await HANDLERS[due.kind](due, deps);
}

async function redeliverEvent({ id, at, org_id: orgId = '' }: DueBody, deps: RedeliverDeps): Promise<void> {
  const event = await deps.events.get(orgId, id);
  if (event?.status !== 'pending') return;
  const now = deps.clock.now();
  const again = checkAgainAt(event, at, now);
  // Claimed before the message is sent, so that only one of several sweeps sends it. After a crash it falls due again.
  const claimed = await deps.events.claimDue(event, at, again ?? plus(now, CLAIM_DURATION));
  if (!claimed || again) return;
  await deps.queue.send('webhook-delivery', [
    { body: { org_id: orgId, event_id: id, tries: event.tries }, group: orgId },
  ]);
}
