import type { Amount } from '#lib/simulators/adyen/objects.ts';
import { currencyDecimals, toMajorUnits } from '#lib/simulators/kit/money.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const decimalsOf = currencyDecimals(
  'CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  'BHD IQD JOD KWD LYD OMR TND',
);

/** Currencies that Adyen does not list. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['BIF', 'CLF', 'UYI', 'UYW']);

export const isSupported = (currency: string): boolean =>
  Object.hasOwn(CURRENCIES, currency) && !UNSUPPORTED.has(currency);

/** How many of Adyen's units are one ISO minor unit; below 1 if Adyen's unit is larger. */
const unitRatio = (currency: string): number => 10 ** (decimalsOf(currency) - (CURRENCIES[currency] ?? 2));

export const toIsoUnits = ({ value, currency }: Amount): number => Math.round(value / unitRatio(currency));

/** ISO minor units in Adyen's units. */
export const fromIsoUnits = (amount: number, currency: string): number => Math.round(amount * unitRatio(currency));

/** A wrong amount: larger by what differs both in Adyen's units and in ISO minor units. */
export const withExtraUnit = ({ value, currency }: Amount): Amount => ({
  value: value + Math.max(1, unitRatio(currency)),
  currency,
});

/** An amount for display. */
export const display = ({ value, currency }: Amount): string =>
  `${currency} ${toMajorUnits(value, decimalsOf(currency))}`;
