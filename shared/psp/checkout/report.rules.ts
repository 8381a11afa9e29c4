import type { CheckResult, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import type { Payment } from '#shared/psp/checkout/schema.ts';
import { avsOfLetter, checkOf } from '#shared/psp/kit/card-checks.ts';
import { cardReport, eciOf, networkCode, networkPart, networkTransactionId } from '#shared/psp/kit/card-report.ts';
import { adviceCode, lookUp } from '#shared/psp/kit/declines.ts';

/** What a payment tells beside its outcome. */
export const reportOf = (payment: Payment, isPaid: boolean): ChargeReport => ({
  ...networkOf(payment),
  ...(isPaid && savedBy(payment)),
});

function networkOf({ source, processing, eci, scheme_id, '3ds': secure }: Payment): Pick<ChargeReport, 'network'> {
  const { scheme, last4, card_type, issuer_country, expiry_month, expiry_year } = source ?? {};
  return networkPart({
    network_transaction_id: networkTransactionId(scheme_id),
    network_decline_code: networkCode(processing?.partner_response_code),
    advice_code: adviceCode(processing?.partner_merchant_advice_code),
    avs: avsOf(source?.avs_check),
    cvc: checkOf(CVV_CHECKS, source?.cvv_check),
    eci: eciOf(eci ?? secure?.eci),
    card: cardReport({
      brand: scheme,
      last4,
      funding: card_type,
      country: issuer_country,
      month: expiry_month,
      year: expiry_year,
    }),
  });
}

/** Codes of American Express, which also tell of the name (Checkout.com's page of AVS tests, read in 2026-11). */
const AMEX_AVS: Readonly<Record<string, NetworkReport['avs']>> = {
  AE1: { code: 'AE1', postal_code: 'match' },
  AE2: { code: 'AE2', address: 'match', postal_code: 'match' },
  AE3: { code: 'AE3', address: 'match' },
  AE4: { code: 'AE4' },
  AE5: { code: 'AE5', postal_code: 'match' },
  AE6: { code: 'AE6', address: 'match', postal_code: 'match' },
  AE7: { code: 'AE7', address: 'match' },
};

const avsOf = (given: unknown): NetworkReport['avs'] =>
  (typeof given === 'string' ? lookUp(AMEX_AVS, given) : undefined) ?? avsOfLetter(given);

/** Checkout.com's page of CVV response codes (read 2026-11), as a whole. `N`: none was given. */
const CVV_CHECKS: Readonly<Record<string, CheckResult>> = {
  D: 'mismatch',
  N: 'unchecked',
  P: 'unchecked',
  U: 'unchecked',
  X: 'unchecked',
  Y: 'match',
};

/**
 * An instrument, with the payment in which the customer agreed: later charges refer to it. Such a later charge itself,
 * which is not `Regular`, is no agreement.
 */
function savedBy({ id: previous_payment_id, source, payment_type }: Payment): Pick<ChargeReport, 'saved'> {
  if (payment_type && payment_type !== 'Regular') return {};
  return typeof source?.id === 'string' && /^src_\w{1,100}$/.test(source.id)
    ? { saved: { id: source.id, previous_payment_id } }
    : {};
}
