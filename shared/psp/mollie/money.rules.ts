import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { decimalText, minorUnits } from '#shared/psp/kit/currencies.ts';

export type MollieAmount = { readonly value: string; readonly currency: string };

/** What Mollie takes, all with as many decimals as ISO has. Another currency's decimals we don't know, so it is not asked for. */
export const MOLLIE_CURRENCIES: readonly string[] =
  'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'.split(' ');

/** Undefined where Mollie can't be asked for exactly this. */
export function mollieAmount(amount: number, currency: string): MollieAmount | undefined {
  if (amount < 1 || !MOLLIE_CURRENCIES.includes(currency)) return undefined;
  const value = decimalText(amount, currency);
  return value === undefined ? undefined : { currency, value };
}

/** What Mollie reports, in our minor units. An amount that has none there can't be compared, so nothing is known of it. */
export function ourUnits({ value, currency }: MollieAmount): { readonly amount: number; readonly currency: string } {
  const amount = minorUnits(value, currency);
  if (amount === undefined) throw new PspOutcomeUnknown('Mollie reports an amount that its currency has no minor unit for.');
  return { amount, currency };
}
