import type { CheckResult } from '#shared/domain/payments/network-report.model.ts';
import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { avsOfWords, checkOf } from '#shared/psp/kit/card-checks.ts';
import { cardReport, eciOf, networkCode, networkPart, networkTransactionId } from '#shared/psp/kit/card-report.ts';
import { adviceCode } from '#shared/psp/kit/declines.ts';
import type { CardDetails, Charge, LastPaymentError, PaymentIntent } from '#shared/psp/stripe/schema.ts';

/** What an intent tells beside its outcome. `isPaid`: its money was taken or is held. */
export function reportOf(intent: PaymentIntent, isPaid: boolean): ChargeReport {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : undefined;
  if (isPaid) return { ...networkOf(charge), ...savedBy(intent) };
  return networkOf(charge, intent.last_payment_error ?? undefined);
}

/** A decline has its codes in the error, and in the charge's outcome. */
export function networkOf(
  charge: Charge | null | undefined,
  error?: Partial<LastPaymentError>,
): Pick<ChargeReport, 'network'> {
  const card = charge?.payment_method_details?.card ?? error?.payment_method?.card ?? {};
  return networkPart({
    network_transaction_id: networkTransactionId(card.network_transaction_id),
    network_decline_code: networkCode(error?.network_decline_code ?? charge?.outcome?.network_decline_code),
    advice_code: adviceCode(error?.network_advice_code ?? charge?.outcome?.network_advice_code),
    ...checksOf(card),
    eci: eciOf(card.electronic_commerce_indicator ?? card.three_d_secure?.electronic_commerce_indicator),
    card: cardReport({
      brand: card.brand,
      last4: card.last4,
      funding: card.funding,
      country: card.country,
      month: card.exp_month,
      year: card.exp_year,
    }),
  });
}

/** Stripe's words for a check. */
const CHECKS: Readonly<Record<string, CheckResult>> = {
  pass: 'match',
  fail: 'mismatch',
  unavailable: 'unchecked',
  unchecked: 'unchecked',
};

function checksOf({ checks }: CardDetails) {
  const { address_line1_check: address, address_postal_code_check: postal_code, cvc_check } = checks ?? {};
  return { avs: avsOfWords(CHECKS, { address, postal_code }), cvc: checkOf(CHECKS, cvc_check) };
}

/** The method is attached to the customer, and can be charged only together with it. */
function savedBy({ payment_method, customer, setup_future_usage }: PaymentIntent): Pick<ChargeReport, 'saved'> {
  return setup_future_usage === 'off_session' && payment_method && customer
    ? { saved: { payment_method, customer } }
    : {};
}
