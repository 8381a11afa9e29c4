import { currencyDecimals, toMajorUnits } from '#lib/simulators/kit/money.ts';
import type { ApiError } from '#lib/simulators/kit/wire.ts';
import { invalid, invalidState } from '#lib/simulators/stripe/errors.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const decimals = currencyDecimals('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf', 'bhd jod kwd omr tnd');
/** The special cases of Stripe's page: currencies without decimals that are sent with two, which must be 00. */
const WHOLE_UNITS_ONLY = 'isk ugx'.split(' ');

const SUPPORTED: ReadonlySet<string> = new Set(
  `usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf
  clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl hrk htg
  huf idr ils inr isk jmd jpy kes kgs khr kmf krw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur
  mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek
  sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar
  zmw bhd jod kwd omr tnd`.split(/\s+/),
);

/** Documented minimum amounts. For other currencies it is about half a dollar, which Stripe converts. */
const MIN_AMOUNTS: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
};

/** An amount's digits: twelve for cards. Other payment methods have eight, and more in three currencies. */
const CARD_DIGITS = 12;
const OTHER_DIGITS: ReadonlyMap<string, number> = new Map([
  ['idr', 12],
  ['cop', 10],
  ['inr', 9],
]);

const maxAmount = (currency: string, takesCards: boolean): number =>
  10 ** (takesCards ? CARD_DIGITS : (OTHER_DIGITS.get(currency) ?? 8)) - 1;

/** Stripe's units in ISO minor units. They differ where Stripe has other decimals than ISO. */
export const toIsoUnits = (units: number, currency: string): number =>
  Math.round(units / 10 ** (decimals(currency) - (CURRENCIES[currency.toUpperCase()] ?? 2)));

/** The other way round. */
export const toStripeUnits = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** (decimals(currency) - (CURRENCIES[currency.toUpperCase()] ?? 2)));

/** An amount for display. */
export function display(amount: number, currency: string): string {
  const text = toMajorUnits(amount, decimals(currency));
  return currency === 'usd' ? `$${text}` : `${text} ${currency.toUpperCase()}`;
}

export function smallestStep(currency: string): number {
  if (WHOLE_UNITS_ONLY.includes(currency)) return 100;
  return decimals(currency) === 3 ? 10 : 1;
}

export function checkStep(amount: number, currency: string, param = 'amount'): void {
  const step = smallestStep(currency);
  if (amount % step === 0) return;
  throw invalid(`Invalid amount: ${amount}. Amounts in ${currency} must be divisible by ${step}.`, {
    param,
    code: 'parameter_invalid_integer',
  });
}

/**
 * Stripe's rules for amounts. `param` is the name of the amount's parameter; `types` are the payment method types, all
 * if it is empty.
 */
export function checkMoney(amount: number, currency: string, types: readonly string[], param = 'amount'): void {
  if (!SUPPORTED.has(currency)) {
    throw invalid(
      `Invalid currency: ${currency}. Stripe currently supports these currencies: ${[...SUPPORTED].join(', ')}`,
      { param: 'currency' },
    );
  }
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', { param, code: 'parameter_invalid_integer' });
  const maximum = maxAmount(currency, types.length === 0 || types.includes('card'));
  if (amount > maximum)
    throw invalid(`Amount must be no more than ${display(maximum, currency)}`, { param, code: 'amount_too_large' });
  checkStep(amount, currency, param);
  const minimum = MIN_AMOUNTS[currency];
  if (minimum !== undefined && amount < minimum) {
    throw invalid(`Amount must be at least ${display(minimum, currency)} ${currency}`, {
      param,
      code: 'amount_too_small',
    });
  }
}

/** The refund is larger than the remaining amount of the charge. */
export function refundTooLarge(amount: number, remaining: number, currency: string): ApiError {
  const message =
    `Refund amount (${display(amount, currency)}) is greater than unrefunded amount on charge ` +
    `(${display(remaining, currency)})`;
  return invalidState(message, { param: 'amount' });
}
