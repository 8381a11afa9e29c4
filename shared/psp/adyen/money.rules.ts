import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money, rescale } from '#shared/psp/kit/money.ts';

const codes = (text: string, exponent: number) => Object.fromEntries(text.split(' ').map((code) => [code, exponent]));

/** Adyen's decimals where they differ from ISO's: CLP and ISK have two there, CVE and IDR none. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...codes('CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF', 0),
  ...codes('CLP ISK', 2),
  ...codes('BHD IQD JOD KWD LYD OMR TND', 3),
};

/**
 * Currencies that are not in the table and do not have two decimals in ISO (BIF, CLF, UYI, UYW) are ambiguous, so they
 * are not supported.
 */
const adyenExponent = (currency: string): number | undefined =>
  EXPONENTS[currency] ?? (isoExponent(currency) === 2 ? 2 : undefined);

/** Our minor units in Adyen's; undefined if that cannot be exact. */
export function adyenUnits(amount: number, currency: string): number | undefined {
  const exponent = isCurrency(currency) ? adyenExponent(currency) : undefined;
  const units = exponent === undefined ? undefined : rescale(amount, isoExponent(currency), exponent);
  return units === undefined || units < 1 ? undefined : units;
}

/** Adyen's amount in our minor units; undefined if that cannot be exact, so that the outcome stays unknown. */
export function toOurMoney(
  reported: { readonly value: number; readonly currency: string } | null | undefined,
): Money | undefined {
  const exponent = reported ? adyenExponent(reported.currency) : undefined;
  if (!reported || reported.value < 0 || exponent === undefined) return undefined;
  const amount = rescale(reported.value, exponent, isoExponent(reported.currency));
  return amount === undefined ? undefined : { amount, currency: reported.currency };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  adyenUnits(amount, currency) !== undefined;
