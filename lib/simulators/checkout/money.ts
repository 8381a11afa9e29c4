import { invalid } from '#lib/simulators/checkout/answers.ts';
import { decimalsBy, inMajor } from '#lib/simulators/frame/decimals.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const decimals = decimalsBy(
  'BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VUV VND XAF XOF XPF',
  'BHD IQD JOD KWD LYD OMR TND',
);

/**
 * From Checkout.com's units into those of ISO, which the control server speaks: the Chilean peso has hundredths only
 * here.
 */
export const isoUnits = (units: number, currency: string): number =>
  Math.round(units / 10 ** (decimals(currency) - (CURRENCIES[currency] ?? 2)));

/** An amount as people read it. */
export const display = (units: number, currency: string): string => `${inMajor(units, decimals(currency))} ${currency}`;

/** One to nine digits, and no smaller part than the currency has. */
export function checkMoney(amount: unknown, currency: unknown): { readonly amount: number; readonly currency: string } {
  if (typeof currency !== 'string' || CURRENCIES[currency] === undefined) throw invalid('currency_invalid');
  return { amount: checkAmount(amount, currency), currency };
}

export function checkAmount(amount: unknown, currency: string): number {
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1 || amount > 999_999_999)
    throw invalid('amount_invalid');
  const step = decimals(currency) === 3 ? 10 : currency === 'CLP' ? 100 : 1;
  if (amount % step !== 0) throw invalid('amount_invalid');
  return amount;
}
