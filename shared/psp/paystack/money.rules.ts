import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money } from '#shared/psp/kit/money.ts';

/**
 * Paystack counts in hundredths. XOF has none in ISO, and is reportedly sent as hundredths all the same; unconfirmed,
 * and a wrong reading is off by a hundred in what is charged or recorded. So such currencies are not supported.
 */
const isHundredths = (currency: string): boolean => isoExponent(currency) === 2;

/** Our minor units in Paystack's; undefined if that cannot be exact. */
export function paystackUnits(amount: number, currency: string): number | undefined {
  return isCurrency(currency) && isHundredths(currency) && Number.isSafeInteger(amount) && amount > 0
    ? amount
    : undefined;
}

/** An amount of Paystack: a whole number, or its digits. */
export function unitsIn(units: unknown): number | undefined {
  const amount = typeof units === 'string' && /^\d{1,15}$/.test(units) ? Number(units) : units;
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined;
}

/** What Paystack reports, as a number or as digits. */
export function toOurMoney(units: unknown, paystackCurrency: unknown): Money {
  const currency = typeof paystackCurrency === 'string' ? paystackCurrency.toUpperCase() : '';
  const amount = unitsIn(units);
  if (!/^[A-Z]{3}$/.test(currency) || !isHundredths(currency) || amount === undefined)
    throw new PspOutcomeUnknown('Paystack reports an amount that is not understood.');
  return { amount, currency };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  paystackUnits(amount, currency) !== undefined;
