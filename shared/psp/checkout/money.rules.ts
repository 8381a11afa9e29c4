import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money, rescale } from '#shared/psp/kit/money.ts';

/** Checkout.com's decimals; all others have two, the Chilean peso too, whose hundredths must be 00. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VUV VND XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
};

const checkoutExponent = (currency: string): number => EXPONENTS[currency] ?? 2;

/** Nine digits. */
const MAX_UNITS = 999_999_999;

/** Not used for payments, and its unit there is not documented: a guess could charge a hundred times too much. */
const UNSETTLED: ReadonlySet<string> = new Set(['CLF', 'UYI', 'UYW']);

/** Our minor units in Checkout.com's; undefined if that cannot be exact. */
export function checkoutUnits(amount: number, currency: string): number | undefined {
  if (!isCurrency(currency) || UNSETTLED.has(currency)) return undefined;
  const units = rescale(amount, isoExponent(currency), checkoutExponent(currency));
  if (units === undefined || units < 1 || units > MAX_UNITS) return undefined;
  return checkoutExponent(currency) === 3 && units % 10 !== 0 ? undefined : units;
}

/**
 * Checkout.com's amount in our minor units. An inexact amount cannot be compared, so the outcome stays unknown.
 */
export function toOurMoney(units: number, currency: string): Money {
  const amount = rescale(units, checkoutExponent(currency), isoExponent(currency));
  if (amount === undefined)
    throw new PspOutcomeUnknown(`Checkout.com reports an amount that ${currency} has no minor unit for.`);
  return { amount, currency };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  checkoutUnits(amount, currency) !== undefined;
