import { toMajorUnits } from '#lib/simulators/kit/money.ts';
import { invalid } from '#lib/simulators/mollie/errors.ts';
import type { Amount } from '#lib/simulators/mollie/objects.ts';

/** Currency → decimals, as in Mollie's documentation. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'
      .split(' ')
      .map((code) => [code, 2]),
  ),
  ISK: 0,
  JPY: 0,
};

/** Rejects amounts that do not have exactly the decimals of their currency. */
export function readAmount(input: unknown, field = 'amount'): Amount {
  if (input === undefined) throw invalid(`The '${field}' field is missing`, field);
  const { value, currency, ...rest } =
    typeof input === 'object' && input !== null ? { value: undefined, currency: undefined, ...input } : {};
  if (Object.keys(rest).length > 0)
    throw invalid(`Non-existent body parameter "${Object.keys(rest)[0]}" for this API call.`, field);
  if (typeof currency !== 'string' || !Object.hasOwn(DECIMALS, currency))
    throw invalid('The amount contains an invalid currency', `${field}.currency`);
  const decimals = DECIMALS[currency] ?? 2;
  const pattern = decimals === 0 ? /^\d{1,12}$/ : new RegExp(`^\\d{1,12}\\.\\d{${decimals}}$`);
  if (typeof value !== 'string' || !pattern.test(value))
    throw invalid('The amount contains an invalid value', `${field}.value`);
  const amount = { value, currency };
  if (minorUnits(amount) < 1) throw invalid('The amount is lower than the minimum', field);
  return amount;
}

/** Minor units. */
export const minorUnits = ({ value }: Amount): number => Number(value.replace('.', ''));

export const amountOf = (minor: number, currency: string): Amount => ({
  value: toMajorUnits(minor, DECIMALS[currency] ?? 2),
  currency,
});
