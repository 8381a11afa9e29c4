import { textAt } from '#lib/simulators/kit/json.ts';
import { toMajorUnits } from '#lib/simulators/kit/money.ts';
import { invalidRequest, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

export type Money = { readonly currency_code: string; readonly value: string };

const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);
const SUPPORTED: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
);

/** The decimals of PayPal's smallest unit, in which amounts are added. */
const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);

const units = ({ value, currency_code }: Money): number => Math.round(Number(value) * 10 ** decimalsOf(currency_code));

/** In ISO minor units, for the recorded charges. */
export const toMinorUnits = ({ value, currency_code }: Money): number =>
  Math.round(Number(value) * 10 ** (CURRENCIES[currency_code] ?? 2));

const money = (amount: number, currency: string): Money => ({
  currency_code: currency,
  value: toMajorUnits(amount, decimalsOf(currency)),
});

export const plus = (amount: Money, smallest: number): Money => money(units(amount) + smallest, amount.currency_code);

export const minus = (amount: Money, others: readonly Money[]): Money =>
  money(
    others.reduce((left, other) => left - units(other), units(amount)),
    amount.currency_code,
  );

/** Rounded to the smallest unit. */
export const portion = (amount: Money, share: number): Money =>
  money(Math.round(units(amount) * share), amount.currency_code);

export const times = (amount: Money, count: number): Money => money(units(amount) * count, amount.currency_code);

export const sameAmount = (one: Money, other: Money): boolean => units(one) === units(other);

export const isGreater = (amount: Money, than: Money): boolean => units(amount) > units(than);
export const isZero = (amount: Money): boolean => units(amount) <= 0;

/** Reads and validates an amount of a request. */
export function readMoney(input: unknown, field: string): Money {
  const [currency, text] = [textAt(input, 'currency_code'), textAt(input, 'value')];
  if (currency === null)
    throw invalidRequest(
      `${field}/currency_code`,
      'MISSING_REQUIRED_PARAMETER',
      'A required field / parameter is missing.',
    );
  if (text === null)
    throw invalidRequest(`${field}/value`, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (currency.length !== 3)
    throw invalidRequest(
      `${field}/currency_code`,
      'INVALID_STRING_LENGTH',
      'The value of a field is either too short or too long.',
    );
  if (!/^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$/.test(text)) {
    throw invalidRequest(
      `${field}/value`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  }
  if (!SUPPORTED.has(currency))
    throw unprocessable(
      'INVALID_CURRENCY_CODE',
      'Currency code is invalid or is not currently supported.',
      `${field}/currency_code`,
    );
  if ((text.split('.')[1] ?? '').length > decimalsOf(currency)) {
    throw unprocessable(
      'DECIMAL_PRECISION',
      'If the currency supports decimals, only two decimal place precision is supported.',
      `${field}/value`,
    );
  }
  if (!(Number(text) > 0))
    throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.', `${field}/value`);
  if (Number(text) > 999_999_999_999_999)
    throw unprocessable('MAX_VALUE_EXCEEDED', 'Should be less than or equal to 999999999999999.99.', `${field}/value`);
  return { currency_code: currency, value: text };
}
