import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { type Money, parseDecimal, toDecimal } from '#shared/psp/kit/money.ts';

export type MollieAmount = { readonly value: string; readonly currency: string };

/** Mollie's currencies, all with ISO's decimals. For others its decimals are unknown, so they are not supported. */
export const MOLLIE_CURRENCIES: readonly string[] =
  'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'.split(
    ' ',
  );

/** Undefined if it cannot be exact. */
export function mollieAmount(amount: number, currency: string): MollieAmount | undefined {
  if (amount < 1 || !MOLLIE_CURRENCIES.includes(currency)) return undefined;
  const value = toDecimal(amount, currency);
  return value === undefined ? undefined : { currency, value };
}

/** Mollie's amount in our minor units. An inexact amount cannot be compared, so the outcome stays unknown. */
export function toOurMoney({ value, currency }: MollieAmount): Money {
  const amount = parseDecimal(value, currency);
  if (amount === undefined)
    throw new PspOutcomeUnknown('Mollie reports an amount that its currency has no minor unit for.');
  return { amount, currency };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  mollieAmount(amount, currency) !== undefined;
