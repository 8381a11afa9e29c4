import type { CardReport, CheckResult, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { ChargeReport, SaveOrder } from '#shared/ports/charge-report.port.ts';
import { avsOfLetter, cvcOfLetter } from '#shared/psp/kit/card-checks.ts';
import { cardReport, eciOf, networkPart, networkTransactionId } from '#shared/psp/kit/card-report.ts';
import { adviceCode, lookUp } from '#shared/psp/kit/declines.ts';

/**
 * What a response or a notification says beside its result. Most of `data` is sent only if the account has it switched
 * on (Customer Area, Developers, Additional data). `reason` is a notification's.
 */
type Reported = {
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly brand?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly refused?: boolean;
};

export function networkReport({ data, brand, reason, refused = false }: Reported): Pick<ChargeReport, 'network'> {
  const text = textsOf(data);
  const declineCode = /^([0-9A-Z]{2,3})(?:\s*:|$)/.exec(text('refusalReasonRaw'))?.[1];
  return networkPart({
    network_transaction_id: networkTransactionId(text('networkTxReference') || text('visaTransactionId')),
    network_decline_code: refused ? declineCode : undefined,
    advice_code: refused ? adviceCode(text('merchantAdviceCode')) : undefined,
    avs: avsOf(text('avsResult'), text('avsResultRaw')),
    cvc: lookUp(CVC_RESULTS, numberOf(text('cvcResult'))) ?? cvcOfLetter(text('cvcResultRaw')),
    eci: eciOf(text('eci')),
    liability_shift: lookUp(BOOLEANS, text('liabilityShift')),
    card: cardOf(text, brand ?? '', reason ?? ''),
  });
}

/**
 * The token of a method that was kept for its shopper. A charge of a saved method names that method in the same fields,
 * but keeps none.
 */
export function savedToken({ data }: Pick<Reported, 'data'>, save?: SaveOrder): Pick<ChargeReport, 'saved'> {
  const text = textsOf(data);
  if (text('shopperInteraction') === 'ContAuth') return {};
  const storedPaymentMethodId =
    text('tokenization.storedPaymentMethodId') || text('recurring.recurringDetailReference');
  const shopperReference =
    text('tokenization.shopperReference') || text('recurring.shopperReference') || save?.customer || '';
  const isToken = /^[A-Za-z0-9_-]{1,64}$/.test(storedPaymentMethodId) && /^[^\p{C}]{3,256}$/u.test(shopperReference);
  return isToken ? { saved: { storedPaymentMethodId, shopperReference } } : {};
}

const textsOf =
  (data: Reported['data']) =>
  (name: string): string => {
    const value = data?.[name];
    return ['string', 'boolean', 'number'].includes(typeof value) ? String(value).slice(0, 300).trim() : '';
  };

/** `4 No CVC/CVV provided, but was required` begins with its code. */
const numberOf = (result: string): string => /^(\d{1,2})(?!\d)/.exec(result)?.[1] ?? '';

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Adyen's CVC results, as its page of test values lists them (read in 2026-11). */
const CVC_RESULTS: Readonly<Record<string, CheckResult>> = {
  0: 'unchecked',
  1: 'match',
  2: 'mismatch',
  3: 'unchecked',
  4: 'unchecked',
  5: 'unchecked',
  6: 'unchecked',
};

type Checks = readonly [address: CheckResult, postalCode: CheckResult];

/** Adyen's AVS results, likewise. From 19 on they also tell of the name, which is left out. */
const AVS_RESULTS: Readonly<Record<string, Checks>> = {
  0: ['unchecked', 'unchecked'],
  1: ['match', 'mismatch'],
  2: ['mismatch', 'mismatch'],
  3: ['unchecked', 'unchecked'],
  4: ['unchecked', 'unchecked'],
  5: ['unchecked', 'unchecked'],
  6: ['mismatch', 'match'],
  7: ['match', 'match'],
  8: ['unchecked', 'unchecked'],
  9: ['match', 'unchecked'],
  10: ['mismatch', 'unchecked'],
  11: ['unchecked', 'unchecked'],
  12: ['match', 'unchecked'],
  13: ['mismatch', 'unchecked'],
  14: ['unchecked', 'match'],
  15: ['unchecked', 'match'],
  16: ['unchecked', 'mismatch'],
  17: ['unchecked', 'mismatch'],
  18: ['unchecked', 'unchecked'],
  20: ['match', 'match'],
  24: ['match', 'match'],
  26: ['mismatch', 'mismatch'],
};

function avsOf(result: string, raw: string): NetworkReport['avs'] {
  const [address, postal_code] = lookUp(AVS_RESULTS, numberOf(result)) ?? [];
  const letter = avsOfLetter(raw);
  if (!address || !postal_code) return letter;
  return { ...(letter?.code && { code: letter.code }), address, postal_code };
}

/** `CHARGE` is a card whose balance is paid each month. */
const FUNDING: Readonly<Record<string, CardReport['funding']>> = {
  CHARGE: 'credit',
  CREDIT: 'credit',
  DEBIT: 'debit',
  PREPAID: 'prepaid',
  PREPAID_NONRELOADABLE: 'prepaid',
  PREPAID_RELOADABLE: 'prepaid',
};

/** The reason of a successful notification: `044925:1142:03/2030`, the authorisation code, last digits and expiry. */
const APPROVAL = /^[^:]*:(\d{4}):(\d{1,2}\/\d{4})$/;

/** Only cards have last digits: the brand of another method is no card's. */
function cardOf(text: (name: string) => string, brand: string, reason: string): CardReport | undefined {
  const [, digits = '', date = ''] = APPROVAL.exec(reason) ?? [];
  const last4 = /^\d{4}$/.exec(text('cardSummary'))?.[0] ?? digits;
  const [month, year] = (text('expiryDate') || date).split('/');
  return cardReport({
    brand: last4 === '' ? undefined : brandOf(text('cardPaymentMethod') || text('paymentMethod') || brand),
    last4,
    funding: lookUp(FUNDING, text('fundingSource')),
    country: text('cardIssuingCountry') || text('issuerCountry'),
    month,
    year,
  });
}

const brandOf = (name: string): string =>
  name === 'cartebancaire' ? 'cartes_bancaires' : name.replace(/_(applepay|googlepay)$/, '');
