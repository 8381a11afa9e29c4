import { countPayment, giveUpSlot, isCounted } from '#shared/domain/links/payment-link.machine.ts';
import { asksOfLink, noteSlot } from '#shared/domain/payments/link-hold.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'payments' | 'paymentLinks' | 'clock' | 'log'>;

/**
 * Settles the slot of a link's payment that has ended: the link counts it or frees the slot, and the payment records
 * which. The link is written first, and remembers it for a while: after a crash, and with concurrent runs, a payment
 * counts once.
 */
export async function settleLinkSlot(seen: Payment, deps: Needs): Promise<Payment> {
  if (asksOfLink(seen) === undefined) return seen;
  // The relay works on older images of payments: one that was counted since must not count again.
  const payment = (await deps.payments.byId(seen.id)) ?? seen;
  const asks = asksOfLink(payment);
  const link = asks && (await deps.paymentLinks.byId(payment.payment_link_id ?? ''));
  if (!link) return payment;
  const at = deps.clock.now();
  if (asks === 'give_up') {
    await deps.paymentLinks.change(link, (l) => giveUpSlot(l, payment.id));
    return deps.payments.change(payment, (p) => noteSlot(p, 'given_up', at));
  }
  const counted = await deps.paymentLinks.change(link, (l) => countPayment(l, payment.id, at));
  const became = isCounted(counted, payment.id) ? 'paid' : 'overpaid';
  if (became === 'overpaid')
    deps.log.info('payment_link_overpaid', { payment_id: payment.id, payment_link_id: link.id, org_id: link.org_id });
  return deps.payments.change(payment, (p) => noteSlot(p, became, at));
}
