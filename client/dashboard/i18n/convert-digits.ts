import { exponentOf } from '#client/dashboard/i18n/currencies.ts';

type Sum = { readonly amount: number | undefined; readonly currency: string };

/** The same sum in the minor units of another currency: 12.50 is no amount of yen, and then has to be typed again. */
export function convertDigits({ amount, currency }: Sum, to: string): number | undefined {
  if (amount === undefined) return undefined;
  const converted = amount * 10 ** (exponentOf(to) - exponentOf(currency));
  return Number.isInteger(converted) ? converted : undefined;
}
