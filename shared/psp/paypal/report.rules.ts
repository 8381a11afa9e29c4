import type { CheckResult, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { avsOfLetter, cvcOfLetter } from '#shared/psp/kit/card-checks.ts';
import { cardReport, networkPart, networkTransactionId } from '#shared/psp/kit/card-report.ts';
import { adviceCode, lookUp } from '#shared/psp/kit/declines.ts';
import type { Authorization, Capture, Order } from '#shared/psp/paypal/schema.ts';
import { isReusableToken } from '#shared/psp/paypal/tokens.rules.ts';

/**
 * What PayPal tells of a card. Its `response_code` is its own and no issuer's, so there is no `network_decline_code`: it
 * is the failure's `provider_code`. It tells no ECI.
 */
export function networkReport(
  taken: Capture | Authorization | undefined,
  order?: Pick<Order, 'payment_source'>,
): Pick<ChargeReport, 'network'> {
  const card = order?.payment_source?.card;
  const { processor_response: response, network_transaction_reference: reference } = taken ?? {};
  const brand = reference?.network ?? card?.brand;
  const shift = card?.authentication_result?.liability_shift;
  return networkPart({
    network_transaction_id: transactionId(reference),
    advice_code: isDeclined(taken) ? adviceCode(response?.payment_advice_code) : undefined,
    avs: avsOf(response?.avs_code, brand),
    cvc: lookUp(CVV_CODES, response?.cvv_code) ?? cvcOfLetter(response?.cvv_code),
    liability_shift: typeof shift === 'string' ? lookUp(SHIFTS, shift) : undefined,
    card: cardOf(card, brand),
  });
}

const isDeclined = (taken: Capture | undefined): boolean =>
  taken !== undefined && ['DECLINED', 'DENIED', 'FAILED'].includes(taken.status);

/** Mastercard's id is complete with its date, as other PSPs take it. */
function transactionId(reference: Capture['network_transaction_reference']): string | undefined {
  const { id, date, network } = reference ?? {};
  const isBanknet = network === 'MASTERCARD' && id?.length === 9 && /^\d{4}$/.test(date ?? '');
  return networkTransactionId(isBanknet ? `${id}${date}` : id);
}

type Avs = NonNullable<NetworkReport['avs']>;

/** Maestro's codes, from PayPal's server SDK 2.5.0 (read in 2026-11). `2`: a part of the address matches. */
const MAESTRO_AVS: Readonly<Record<string, Avs>> = {
  0: { code: '0', address: 'match', postal_code: 'match' },
  1: { code: '1', address: 'mismatch', postal_code: 'mismatch' },
  2: { code: '2' },
  3: { code: '3', address: 'unchecked', postal_code: 'unchecked' },
  4: { code: '4', address: 'unchecked', postal_code: 'unchecked' },
};

/** Letters that mean something else with American Express, likewise. */
const AMEX_AVS: Readonly<Record<string, Avs>> = {
  E: { code: 'E', address: 'match', postal_code: 'match' },
  F: { code: 'F', address: 'match', postal_code: 'mismatch' },
  W: { code: 'W', address: 'mismatch', postal_code: 'mismatch' },
  X: { code: 'X', address: 'mismatch', postal_code: 'mismatch' },
};

/** PayPal's `C` says that nothing matches abroad; at Visa it says that nothing was checked. */
const NO_MATCH_ABROAD: Readonly<Record<string, Avs>> = {
  C: { code: 'C', address: 'mismatch', postal_code: 'mismatch' },
};

function avsOf(code: string | null | undefined, brand: string | null | undefined): Avs | undefined {
  const special = lookUp(AMEX_AVS, code);
  if (special && brand === 'AMEX') return special;
  if (special && !brand && special.code) return { code: special.code };
  return lookUp(MAESTRO_AVS, code) ?? lookUp(NO_MATCH_ABROAD, code) ?? avsOfLetter(code);
}

/** Maestro's digits, and letters that no other PSP has, likewise. */
const CVV_CODES: Readonly<Record<string, CheckResult>> = {
  0: 'match',
  1: 'mismatch',
  2: 'unchecked',
  3: 'unchecked',
  4: 'unchecked',
  E: 'unchecked',
  I: 'unchecked',
  X: 'unchecked',
};

/** `POSSIBLE`: the payer was authenticated, so that the issuer bears the loss of a fraud. */
const SHIFTS: Readonly<Record<string, boolean>> = { NO: false, POSSIBLE: true, YES: true };

type Card = NonNullable<NonNullable<Order['payment_source']>['card']>;

/** `C2` is PayPal's code of China. */
function cardOf(card: Card | null | undefined, brand: string | null | undefined) {
  if (!card) return undefined;
  const [year, month] = (card.expiry ?? '').split('-');
  const country = card.bin_details?.bin_country_code;
  return cardReport({
    brand: brand === 'CB_NATIONALE' ? 'cartes_bancaires' : brand,
    last4: card.last_digits,
    funding: card.type,
    country: country === 'C2' ? 'CN' : country,
    month,
    year,
  });
}

/** PayPal keeps a method once it is paid with, or only some time after: a later look-up then tells its token. */
export function savedToken({ payment_source: source }: Pick<Order, 'payment_source'>): Pick<ChargeReport, 'saved'> {
  const { id, status } = source?.paypal?.attributes?.vault ?? {};
  const saved = { vault_id: id ?? '', source: 'paypal' };
  return status !== 'APPROVED' && isReusableToken(saved) ? { saved } : {};
}
