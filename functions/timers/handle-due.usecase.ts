import { reconcilePayment } from '#functions/payments/reconcile-payment.usecase.ts';
import { DueMessage } from '#functions/timers/timers.schema.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Longer than a delivery may wait in its queue; should it be lost there, it falls due again. */
const TAKEN_FOR = 15 * MINUTE;

/** One thing that is due, looked at afresh: the index is late, and somebody may have done it already. */
export async function handleDue(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const { kind, id, pk, at } = DueMessage.parse(body);
  if (kind === 'payment') {
    const payment = await deps.payments.byId(id);
    if (payment) await reconcilePayment(payment, deps);
    return;
  }
  const orgId = pk.split('#')[1] ?? '';
  const event = await deps.events.get(orgId, id);
  if (event?.status !== 'pending') return;
  // Taken before it is sent on: of several sweeps that found the entry only one goes on, and what dies here falls due again.
  if (!(await deps.events.take(event, at, plus(deps.clock.now(), TAKEN_FOR)))) return;
  await deps.queue.send('webhook-delivery', [{ body: { org_id: orgId, event_id: id, tries: event.attempts.length }, group: orgId }]);
}
