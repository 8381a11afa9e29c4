import type { Amount } from '#lib/simulators/adyen/objects.ts';
import { decimalsBy, inMajor } from '#lib/simulators/frame/decimals.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

const decimalsOf = decimalsBy(
  'CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  'BHD IQD JOD KWD LYD OMR TND',
);

/** Adyen's table of currencies has no such line. */
const UNLISTED: ReadonlySet<string> = new Set(['BIF', 'CLF', 'UYI', 'UYW']);

export const isListed = (currency: string): boolean => Object.hasOwn(CURRENCIES, currency) && !UNLISTED.has(currency);

/** How many of Adyen's units are one of ISO's; below 1 where Adyen's are the larger. */
const unit = (currency: string): number => 10 ** (decimalsOf(currency) - (CURRENCIES[currency] ?? 2));

export const inIso = ({ value, currency }: Amount): number => Math.round(value / unit(currency));

/** More than was asked for, by what can be told apart in either way of counting. */
export const oneMore = ({ value, currency }: Amount): Amount => ({
  value: value + Math.max(1, unit(currency)),
  currency,
});

/** An amount as people read it. */
export const display = ({ value, currency }: Amount): string => `${currency} ${inMajor(value, decimalsOf(currency))}`;
