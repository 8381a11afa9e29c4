import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { cardReport, networkPart } from '#shared/psp/kit/card-report.ts';
import type { Payment } from '#shared/psp/razorpay/schema.ts';

/**
 * The card of a payment, which look-ups ask for and events have. Razorpay tells no code of the issuer, no advice, no
 * check of an address, and no id of the network: its `acquirer_data` are the bank's own. Source: payments entity, read
 * in 2026-11.
 */
export const reportOf = (payment: Payment): ChargeReport => ({ ...networkOf(payment), ...savedOf(payment) });

const networkOf = ({ card, error_reason }: Payment): Pick<ChargeReport, 'network'> =>
  networkPart({
    // Razorpay's only word about the security code.
    cvc: error_reason === 'incorrect_cvv' ? 'mismatch' : undefined,
    card: card ? cardReport({ brand: card.network, last4: card.last4, funding: card.type }) : undefined,
  });

/**
 * A token that Razorpay has made of a paid method, for a customer of its own. Our calls ask for none: Razorpay makes one
 * where the merchant registers a customer for recurring payments. To charge it takes their phone and mail address too.
 */
function savedOf(payment: Payment): Pick<ChargeReport, 'saved'> {
  const { status, token_id: token, customer_id, contact, email } = payment;
  const isPaid = status === 'captured' || status === 'authorized';
  if (!isPaid || !token || !customer_id) return {};
  return { saved: { token, customer_id, ...(contact && { contact }), ...(email && { email }) } };
}
