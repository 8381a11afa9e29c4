import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money } from '#shared/psp/kit/money.ts';

/** Currencies whose minor unit is not a hundredth at Razorpay. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};

const razorpayExponent = (currency: string): number => EXPONENTS[currency] ?? 2;

/** Documented minimums. For other currencies Razorpay itself decides. */
const MIN_AMOUNTS: Readonly<Record<string, number>> = { INR: 100 };

/**
 * Razorpay's documented units are ISO's. A currency that it does not document and whose ISO unit is no hundredth (LYD,
 * CLF …) is ambiguous, so it is not supported.
 */
const hasIsoExponent = (currency: string): boolean => razorpayExponent(currency) === isoExponent(currency);

/** The amount for Razorpay; undefined if it cannot be exact. */
export function razorpayUnits(amount: number, currency: string): number | undefined {
  if (!isCurrency(currency) || !hasIsoExponent(currency)) return undefined;
  if (!Number.isSafeInteger(amount) || amount < (MIN_AMOUNTS[currency] ?? 1)) return undefined;
  return razorpayExponent(currency) === 3 && amount % 10 !== 0 ? undefined : amount;
}

/** What Razorpay reports, in our minor units. */
export function toOurMoney({ amount, currency: reportedCurrency }: Money): {
  readonly amount: number;
  readonly currency: string;
} {
  const currency = reportedCurrency.toUpperCase();
  if (!hasIsoExponent(currency))
    throw new PspOutcomeUnknown('Razorpay reports an amount in a currency whose minor unit there is not known.');
  return { amount, currency };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  razorpayUnits(amount, currency) !== undefined;
