import type { PaymentLink, PaymentLinkStatus, Slot } from '#shared/domain/links/payment-link.model.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { randomBits } from '#shared/kernel/ids.ts';

/** How long a settled slot is kept: longer than any function runs. */
const SLOT_RETENTION = 2 * MINUTE;

/** The status at this time. The stored one becomes `expired` only with the next sweep. */
export function statusAt(
  { status, expires_at }: Pick<PaymentLink, 'status' | 'expires_at'>,
  at: Date,
): PaymentLinkStatus {
  return status === 'active' && expires_at !== null && new Date(expires_at) <= at ? 'expired' : status;
}

/**
 * No further payment needs them, and they name a customer. A link whose payments are captured later may need them again:
 * see `uncountPayment`.
 */
const withoutDetails = ({ sealed_details: _, ...link }: PaymentLink): PaymentLink => link;

/** Stops new payments. Started ones may finish. Undefined if nothing changes. */
export function deactivate(link: PaymentLink, at: Date): PaymentLink | undefined {
  const status = statusAt(link, at);
  if (status === 'inactive') return undefined;
  if (status !== 'active')
    throw new AppError(
      'payment_link_not_active',
      `Only an active payment link can be deactivated. This one is ${status}.`,
    );
  return { ...touched(withoutDetails(link), at), status: 'inactive' };
}

export function expireLink(link: PaymentLink, at: Date): PaymentLink | undefined {
  return link.status === 'active' && statusAt(link, at) === 'expired'
    ? { ...touched(withoutDetails(link), at), status: 'expired' }
    : undefined;
}

/**
 * Counts a succeeded payment, once, and announces it. The payment uses its own slot or a free one. If no slot is free,
 * the payment is never counted (see `isCounted`), and so refunded as overpaid. Undefined if this was decided before.
 */
export function countPayment(link: PaymentLink, paymentId: string, at: Date): PaymentLink | undefined {
  const [key, slot] = slotOf(link, paymentId);
  if (slot?.state === 'paid' || slot?.state === 'turned_away') return undefined;
  const isHeld = slot?.state === 'held';
  const until = plus(at, SLOT_RETENTION).toISOString();
  if (!isHeld && link.slots_left < 1)
    return { ...link, slots: { ...link.slots, [key]: { state: 'turned_away', payment_id: paymentId, until } } };
  const payments_made = link.payments_made + 1;
  const isComplete = link.status === 'active' && payments_made >= link.max_payments;
  const counted: PaymentLink = {
    ...touched(isComplete && link.capture !== 'manual' ? withoutDetails(link) : link, at),
    payments_made,
    status: isComplete ? 'completed' : link.status,
    slots_left: isHeld ? link.slots_left : link.slots_left - 1,
    slots: { ...link.slots, [key]: { state: 'paid', payment_id: paymentId, until } },
  };
  const { status, updated_at } = counted;
  return withEvent(counted, 'payment_link.paid', at, { status, updated_at, payments_made, payment_id: paymentId });
}

export const isCounted = (link: PaymentLink, paymentId: string): boolean =>
  slotOf(link, paymentId)[1]?.state === 'paid';

/**
 * A counted payment was only authorized, and nothing was captured: its slot is free for others. Undefined if that was
 * done before.
 */
export function uncountPayment(link: PaymentLink, paymentId: string, at: Date): PaymentLink | undefined {
  const [key, slot] = slotOf(link, paymentId);
  if (slot?.state === 'given_up') return undefined;
  const until = plus(at, SLOT_RETENTION).toISOString();
  return {
    ...touched(link, at),
    payments_made: link.payments_made - 1,
    slots_left: link.slots_left + 1,
    status: link.status === 'completed' ? 'active' : link.status,
    slots: { ...link.slots, [key]: { state: 'given_up', payment_id: paymentId, until } },
  };
}

/** The payment failed, so its slot is free for others. */
export function releaseSlot(link: PaymentLink, paymentId: string): PaymentLink | undefined {
  const [key, slot] = slotOf(link, paymentId);
  if (slot?.state !== 'held') return undefined;
  return { ...link, slots_left: link.slots_left + 1, slots: { ...link.slots, [key]: { ...slot, state: 'given_up' } } };
}

/** Removes a slot that is no longer needed. A slot that is still held becomes free. */
export function removeSlot(link: PaymentLink, slot: Slot): PaymentLink | undefined {
  const { [slotKey(slot.payment_id)]: stored, ...slots } = link.slots;
  if (stored?.state !== slot.state) return undefined;
  return { ...link, slots, slots_left: stored.state === 'held' ? link.slots_left + 1 : link.slots_left };
}

/** Removes several slots in one write. Slots that have changed since stay. */
export function removeSlots(link: PaymentLink, slots: readonly Slot[]): PaymentLink | undefined {
  const after = slots.reduce((current, slot) => removeSlot(current, slot) ?? current, link);
  return after === link ? undefined : after;
}

export const slotKey = (paymentId: string): string => randomBits(paymentId);

const slotOf = (link: PaymentLink, paymentId: string) => [slotKey(paymentId), link.slots[slotKey(paymentId)]] as const;

const touched = (link: PaymentLink, at: Date): PaymentLink => ({ ...link, updated_at: at.toISOString() });
