import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

/** An amount in our minor units. */
export type Money = { readonly amount: number; readonly currency: string };

/**
 * Decimals of our minor unit. A code that ISO does not list counts as having two, so that a reported amount can be
 * compared at all.
 */
export const isoExponent = (currency: string): number => CURRENCIES[currency] ?? 2;

/** An integer of 10^-from as one of 10^-to; undefined if that would need rounding. */
export function rescale(amount: number, from: number, to: number): number | undefined {
  const scaled = to >= from ? amount * 10 ** (to - from) : amount / 10 ** (from - to);
  return Number.isSafeInteger(amount) && Number.isSafeInteger(scaled) ? scaled : undefined;
}

/** For providers that take decimals: 1050 EUR → `10.50`, with as many decimals as the provider uses. */
export function toDecimal(
  amount: number,
  currency: string,
  decimals: number = isoExponent(currency),
): string | undefined {
  const units = rescale(amount, isoExponent(currency), decimals);
  if (units === undefined || units < 0) return undefined;
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `10.50` EUR → 1050; undefined for what is not a plain decimal, or finer than our minor unit. */
export function parseDecimal(text: string, currency: string): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return whole === '' ? undefined : rescale(Number(whole + fraction), fraction.length, isoExponent(currency));
}
