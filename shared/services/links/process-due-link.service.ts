import { expireLink, forgetSlots } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink, Slot } from '#shared/domain/links/payment-link.model.ts';
import { type LinkDuty, linkDuties } from '#shared/domain/links/payment-link.rules.ts';
import { asksOfLink } from '#shared/domain/payments/link-hold.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { relayLink } from '#shared/services/relay/relay-link.service.ts';

type Needs = Pick<Deps, 'payments' | 'paymentLinks' | 'events' | 'bus' | 'clock' | 'config'>;

/** Does what is due: ends the link, takes slots back, passes its events on. */
export async function processDueLink(link: PaymentLink, deps: Needs): Promise<PaymentLink> {
  const at = deps.clock.now();
  const due = linkDuties(link).filter((duty) => duty.at <= at);
  let current = link;
  if (due.some(({ kind }) => kind === 'expire'))
    current = await deps.paymentLinks.change(current, (l) => expireLink(l, deps.clock.now()));
  const over = await slotsOver(due, deps);
  if (over.length > 0) current = await deps.paymentLinks.change(current, (l) => forgetSlots(l, over));
  return due.some(({ kind }) => kind === 'relay') ? relayLink(current, deps) : current;
}

/**
 * A slot whose payment has succeeded waits for the link to count it; any other is freed, also where the start was never
 * finished.
 */
async function slotsOver(due: readonly LinkDuty[], { payments }: Needs): Promise<readonly Slot[]> {
  const slots = due.flatMap((duty) => (duty.kind === 'look_at_slot' ? [duty.slot] : []));
  const paid = await Promise.all(slots.map(({ payment_id }) => payments.ofAnyTry(payment_id)));
  return slots.filter((_, n) => {
    const payment = paid[n];
    return !payment || asksOfLink(payment) !== 'count';
  });
}
