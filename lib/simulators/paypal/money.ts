import { inMajor } from '#lib/simulators/frame/decimals.ts';
import { textAt } from '#lib/simulators/frame/json.ts';
import { impossible, malformed } from '#lib/simulators/paypal/errors.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

export type Money = { readonly currency_code: string; readonly value: string };

const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);
const TAKEN: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
);

/** PayPal's own smallest unit, in which sums are made. */
const placesOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);

const units = ({ value, currency_code }: Money): number => Math.round(Number(value) * 10 ** placesOf(currency_code));

/** As this service counts, for the record of money. */
export const minorOf = ({ value, currency_code }: Money): number =>
  Math.round(Number(value) * 10 ** (CURRENCIES[currency_code] ?? 2));

const money = (amount: number, currency: string): Money => ({
  currency_code: currency,
  value: inMajor(amount, placesOf(currency)),
});

export const plus = (amount: Money, smallest: number): Money => money(units(amount) + smallest, amount.currency_code);

export const minus = (amount: Money, others: readonly Money[]): Money =>
  money(
    others.reduce((left, other) => left - units(other), units(amount)),
    amount.currency_code,
  );

export const isMore = (amount: Money, than: Money): boolean => units(amount) > units(than);
export const isNothing = (amount: Money): boolean => units(amount) <= 0;

/** An amount as a request has it, or its refusal. */
export function readMoney(given: unknown, field: string): Money {
  const [currency, text] = [textAt(given, 'currency_code'), textAt(given, 'value')];
  if (currency === null)
    throw malformed(`${field}/currency_code`, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (text === null)
    throw malformed(`${field}/value`, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (currency.length !== 3)
    throw malformed(
      `${field}/currency_code`,
      'INVALID_STRING_LENGTH',
      'The value of a field is either too short or too long.',
    );
  if (!/^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$/.test(text)) {
    throw malformed(
      `${field}/value`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  }
  if (!TAKEN.has(currency))
    throw impossible(
      'INVALID_CURRENCY_CODE',
      'Currency code is invalid or is not currently supported.',
      `${field}/currency_code`,
    );
  if ((text.split('.')[1] ?? '').length > placesOf(currency)) {
    throw impossible(
      'DECIMAL_PRECISION',
      'If the currency supports decimals, only two decimal place precision is supported.',
      `${field}/value`,
    );
  }
  if (!(Number(text) > 0))
    throw impossible('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.', `${field}/value`);
  if (Number(text) > 999_999_999_999_999)
    throw impossible('MAX_VALUE_EXCEEDED', 'Should be less than or equal to 999999999999999.99.', `${field}/value`);
  return { currency_code: currency, value: text };
}
