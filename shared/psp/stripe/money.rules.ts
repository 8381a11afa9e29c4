import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, rescale } from '#shared/psp/kit/currencies.ts';

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

/** Our minor units in Stripe's; undefined if that can't be exact. */
export function stripeUnits(amount: number, currency: string): number | undefined {
  if (!isCurrency(currency)) return undefined;
  const units = rescale(amount, isoExponent(currency), stripeExponent(currency));
  if (units === undefined || units < 1 || units > MAX_UNITS) return undefined;
  const lastDigitMatters = stripeExponent(currency) === 3;
  return lastDigitMatters && units % 10 !== 0 ? undefined : units;
}

/** Stripe's amount in our minor units. One that can't be exact is not comparable, so nothing is concluded from it. */
export function ourUnits(
  units: number,
  stripeCurrency: string,
): { readonly amount: number; readonly currency: string } {
  const currency = stripeCurrency.toUpperCase();
  const amount = rescale(units, stripeExponent(currency), isoExponent(currency));
  if (amount === undefined)
    throw new PspOutcomeUnknown(`Stripe reports an amount that ${currency} has no minor unit for.`);
  return { amount, currency };
}
