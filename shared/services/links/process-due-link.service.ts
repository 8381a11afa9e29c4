import { expireLink, removeSlots } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink, Slot } from '#shared/domain/links/payment-link.model.ts';
import { type DueLinkTask, dueLinkTasks } from '#shared/domain/links/payment-link.rules.ts';
import { pendingSlotAction } from '#shared/domain/payments/link-hold.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type EventDeps, relayLink } from '#shared/services/relay/relay-events.service.ts';

type Needs = EventDeps & Pick<Deps, 'payments' | 'paymentLinks' | 'config' | 'log'>;

/** Does what is due: expires the link, frees slots, publishes events. */
export async function processDueLink(link: PaymentLink, deps: Needs): Promise<PaymentLink> {
  const at = deps.clock.now();
  const due = dueLinkTasks(link).filter((duty) => duty.at <= at);
  let current = link;
  if (due.some(({ kind }) => kind === 'expire'))
    current = await deps.paymentLinks.change(current, (l) => expireLink(l, deps.clock.now()));
  const expired = await expiredSlots(due, deps);
  if (expired.length > 0) current = await deps.paymentLinks.change(current, (l) => removeSlots(l, expired));
  if (!due.some(({ kind }) => kind === 'relay')) return current;
  deps.log.warn('relayed_late', { resource_id: link.id });
  return relayLink(current, deps);
}

/**
 * The slots to free. A slot whose payment has succeeded stays until the link counts it. All others are freed, even if
 * their start never finished.
 */
async function expiredSlots(due: readonly DueLinkTask[], { payments }: Needs): Promise<readonly Slot[]> {
  const slots = due.flatMap((duty) => (duty.kind === 'review_slot' ? [duty.slot] : []));
  const paid = await Promise.all(slots.map(({ payment_id }) => payments.byOperationId(payment_id)));
  return slots.filter((_, n) => {
    const payment = paid[n];
    return !payment || pendingSlotAction(payment) !== 'count';
  });
}
