import { invalid } from '#lib/simulators/checkout/errors.ts';
import { currencyDecimals, toMajorUnits } from '#lib/simulators/kit/money.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const decimals = currencyDecimals(
  'BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VUV VND XAF XOF XPF',
  'BHD IQD JOD KWD LYD OMR TND',
);

/** Checkout.com's units in ISO minor units. They differ for the Chilean peso, which has hundredths only here. */
export const toIsoUnits = (units: number, currency: string): number =>
  Math.round(units / 10 ** (decimals(currency) - (CURRENCIES[currency] ?? 2)));

/** The other way round. */
export const fromIsoUnits = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** (decimals(currency) - (CURRENCIES[currency] ?? 2)));

/** An amount for display. */
export const display = (units: number, currency: string): string =>
  `${toMajorUnits(units, decimals(currency))} ${currency}`;

/** One to nine digits, in the smallest step of the currency. */
export function checkMoney(amount: unknown, currency: unknown): { readonly amount: number; readonly currency: string } {
  if (typeof currency !== 'string' || CURRENCIES[currency] === undefined) throw invalid('currency_invalid');
  return { amount: checkAmount(amount, currency), currency };
}

/** Three-decimal currencies end in 0 and Chilean pesos in 00. */
function smallestStep(currency: string): number {
  if (currency === 'CLP') return 100;
  return decimals(currency) === 3 ? 10 : 1;
}

export function checkAmount(amount: unknown, currency: string): number {
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1 || amount > 999_999_999)
    throw invalid('amount_invalid');
  if (amount % smallestStep(currency) !== 0) throw invalid('amount_invalid');
  return amount;
}
