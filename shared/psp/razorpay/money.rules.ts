import { isCurrency } from '#shared/domain/currencies.catalog.ts';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent } from '#shared/psp/kit/currencies.ts';

/** Currencies whose minor unit is not a hundredth at Razorpay. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};
const razorpayExponent = (currency: string): number => EXPONENTS[currency] ?? 2;

/** As documented; elsewhere the least is Razorpay's to say. */
const LEAST: Readonly<Record<string, number>> = { INR: 100 };

/**
 * Razorpay counts as ISO does, wherever it tells how it counts. A currency that is in none of its tables and has another
 * minor unit than hundredths in ISO (LYD, CLF …) could be read either way there, so it is not asked for.
 */
const countsAsWeDo = (currency: string): boolean => razorpayExponent(currency) === isoExponent(currency);

/** The amount as Razorpay is asked for it; undefined where it can't be asked for exactly this. */
export function razorpayUnits(amount: number, currency: string): number | undefined {
  if (!isCurrency(currency) || !countsAsWeDo(currency)) return undefined;
  if (!Number.isSafeInteger(amount) || amount < (LEAST[currency] ?? 1)) return undefined;
  return razorpayExponent(currency) === 3 && amount % 10 !== 0 ? undefined : amount;
}

/** What Razorpay reports, in our minor units. */
export function ourUnits({ amount, currency: reported }: { readonly amount: number; readonly currency: string }): {
  readonly amount: number;
  readonly currency: string;
} {
  const currency = reported.toUpperCase();
  if (!countsAsWeDo(currency)) throw new PspOutcomeUnknown('Razorpay reports an amount in a currency whose minor unit there is not known.');
  return { amount, currency };
}
