import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money, rescale } from '#shared/psp/kit/money.ts';
import { METHOD_TYPES } from '#shared/psp/stripe/capabilities.ts';

/**
 * What Stripe counts in; everything else has two decimals there. ISK and UGX have none, but Stripe's special cases want
 * them in hundredths that end in 00. Its list of currencies without decimals names UGX too: shops that read only that
 * list charged a hundredth. Source: docs.stripe.com/currencies (read 2026-11).
 */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};

const stripeExponent = (currency: string): number => EXPONENTS[currency] ?? 2;

/** The digits that an amount may have. Cards have the most in every currency. Source: docs.stripe.com/currencies. */
const CARD_DIGITS = 12;
const OTHER_DIGITS: Readonly<Record<string, number>> = { IDR: 12, COP: 10, INR: 9 };
const DIGITS = 8;

function maxUnits(currency: string, method: string | undefined): number {
  const takesCards = method === undefined || METHOD_TYPES[method]?.includes('card') === true;
  return 10 ** (takesCards ? CARD_DIGITS : (OTHER_DIGITS[currency] ?? DIGITS)) - 1;
}

/**
 * Our minor units in Stripe's units; undefined if that cannot be exact, or the method takes no such amount. A refund
 * has no method: its charge has passed.
 */
export function stripeUnits(amount: number, currency: string, method?: string): number | undefined {
  if (CURRENCIES[currency] === undefined) return undefined;
  const units = rescale(amount, isoExponent(currency), stripeExponent(currency));
  if (units === undefined || units < 1 || units > maxUnits(currency, method)) return undefined;
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

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency, _viaHostedPage, method) =>
  stripeUnits(amount, currency, method) !== undefined;
