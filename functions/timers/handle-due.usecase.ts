import { type Due, DueMessage } from '#functions/timers/timers.schema.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { processDueLink } from '#shared/services/links/process-due-link.service.ts';
import { reconcilePayment } from '#shared/services/payments/reconcile-payment.service.ts';
import { processDueAbTest } from '#shared/services/routing/process-due-ab-test.service.ts';
import { purgeConnection } from '#shared/services/routing/purge-connection.service.ts';

/** Longer than a message may wait in its queue; if it is lost there, the entry falls due again. */
const TAKEN_FOR = 15 * MINUTE;

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<Due['kind'], (due: Due, deps: Deps) => Promise<unknown>>> = {
  payment: async ({ id }, deps) => {
    const payment = await deps.payments.byId(id);
    return payment && reconcilePayment(payment, deps);
  },
  payment_link: async ({ id }, deps) => {
    const link = await deps.paymentLinks.byId(id);
    return link && processDueLink(link, deps);
  },
  ab_test: ({ id, pk }, deps) => processDueAbTest({ orgId: orgIn(pk), id }, deps),
  connection: ({ id, pk }, deps) => purgeConnection({ orgId: orgIn(pk), id }, deps),
  event: sendAgain,
};

/** One due entry, read afresh: the index lags, and the work may have been done already. */
export async function handleDue(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const due = DueMessage.parse(body);
  await HANDLERS[due.kind](due, deps);
}

async function sendAgain({ id, pk, at }: Due, deps: Deps): Promise<void> {
  const orgId = orgIn(pk);
  const event = await deps.events.get(orgId, id);
  if (event?.status !== 'pending') return;
  // Taken before it is sent on: of several sweeps that found the entry one sends it, and after a crash it falls due
  // again.
  if (!(await deps.events.take(event, at, plus(deps.clock.now(), TAKEN_FOR)))) return;
  await deps.queue.send('webhook-delivery', [
    { body: { org_id: orgId, event_id: id, tries: event.tries }, group: orgId },
  ]);
}

/** The organization's id is in its partition key. */
const orgIn = (pk: string): string => pk.split('#')[1] ?? '';
