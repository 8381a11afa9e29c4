import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money, rescale } from '#shared/psp/kit/money.ts';

/**
 * What Stripe counts in; everything else has two decimals there, also where ISO says none (ISK is sent as hundredths).
 * UGX: Stripe's own pages contradict each other (its list of zero-decimal currencies has it, its special cases want
 * hundredths); we take the reading that can never charge too much.
 */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};

const stripeExponent = (currency: string): number => EXPONENTS[currency] ?? 2;

const MAX_UNITS = 99_999_999;

/** Our minor units in Stripe's units; undefined if that cannot be exact. */
export function stripeUnits(amount: number, currency: string): number | undefined {
  if (CURRENCIES[currency] === undefined) return undefined;
  const units = rescale(amount, isoExponent(currency), stripeExponent(currency));
  if (units === undefined || units < 1 || units > MAX_UNITS) return undefined;
  const lastDigitMatters = stripeExponent(currency) === 3;
  return lastDigitMatters && units % 10 !== 0 ? undefined : units;
}

/** Stripe's amount in our minor units. An inexact amount cannot be compared, so the outcome stays unknown. */
export function toOurMoney(units: number, stripeCurrency: string): Money {
  const currency = stripeCurrency.toUpperCase();
  const amount = rescale(units, stripeExponent(currency), isoExponent(currency));
  if (amount === undefined)
    throw new PspOutcomeUnknown(`Stripe reports an amount that ${currency} has no minor unit for.`);
  return { amount, currency };
}
