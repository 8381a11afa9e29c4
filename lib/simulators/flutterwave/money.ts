import { invalid } from '#lib/simulators/flutterwave/answers.ts';
import { inMajor } from '#lib/simulators/frame/decimals.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const exponentOf = (currency: string): number => CURRENCIES[currency] ?? 2;

/** A number or text of major units, as Flutterwave takes both, in minor units. */
export function minorFrom(given: unknown, currency: string): number {
  if (typeof given !== 'number' && typeof given !== 'string') throw invalid('amount is required');
  const text = String(given);
  const exponent = exponentOf(currency);
  if (!/^\d{1,12}(\.\d+)?$/.test(text)) throw invalid('amount must be a valid number');
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > exponent) throw invalid(`amount must not have more than ${exponent} decimal places`);
  const minor = Number(whole + fraction.padEnd(exponent, '0'));
  if (minor < 1) throw invalid('amount must be greater than 0');
  return minor;
}

export const majorFrom = (minor: number, currency: string): number => Number(inMajor(minor, exponentOf(currency)));

export const display = (minor: number, currency: string): string =>
  `${currency} ${inMajor(minor, exponentOf(currency))}`;
