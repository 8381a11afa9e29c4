import { invalid } from '#lib/simulators/flutterwave/errors.ts';
import { toMajorUnits } from '#lib/simulators/kit/money.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const exponentOf = (currency: string): number => CURRENCIES[currency] ?? 2;

/** Converts major units, as a number or text, to minor units. */
export function toMinorUnits(amount: unknown, currency: string): number {
  if (typeof amount !== 'number' && typeof amount !== 'string') throw invalid('amount is required');
  const text = String(amount);
  const exponent = exponentOf(currency);
  if (!/^\d{1,12}(\.\d+)?$/.test(text)) throw invalid('amount must be a valid number');
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > exponent) throw invalid(`amount must not have more than ${exponent} decimal places`);
  const minor = Number(whole + fraction.padEnd(exponent, '0'));
  if (minor < 1) throw invalid('amount must be greater than 0');
  return minor;
}

export const toMajorAmount = (minor: number, currency: string): number =>
  Number(toMajorUnits(minor, exponentOf(currency)));

export const display = (minor: number, currency: string): string =>
  `${currency} ${toMajorUnits(minor, exponentOf(currency))}`;
