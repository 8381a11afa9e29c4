import type { Language } from '#functions/hosted-pages/views/language.page.ts';
import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

/** A sum of minor units, with as many decimals as the currency has. */
export function sumInWords(amount: number, currency: string, language: Language): string {
  const digits = CURRENCIES[currency] ?? 2;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount / 10 ** digits);
}

/** Always with its time zone. */
const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)$/;

/** A time in UTC, and labelled so. Other text stays as it is. */
export function momentInWords(text: string, language: Language): string {
  const at = EXACT.test(text) ? new Date(text) : undefined;
  if (!at || Number.isNaN(at.getTime())) return text;
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(language, {
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at);
}

const MINUTE_SECONDS = 60;

/** Such as "in 5 minutes". */
export function waitInWords(seconds: number, language: Language): string {
  const format = new Intl.RelativeTimeFormat(language);
  return seconds < 2 * MINUTE_SECONDS
    ? format.format(Math.max(1, Math.ceil(seconds)), 'second')
    : format.format(Math.ceil(seconds / MINUTE_SECONDS), 'minute');
}

type NamedCountry = { readonly code: string; readonly name: string };

const named = new Map<Language, readonly NamedCountry[]>();

/** All countries by name, sorted for the language. That takes milliseconds, so it is cached for each language. */
export function countriesIn(language: Language): readonly NamedCountry[] {
  const known = named.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  const sorted = [...COUNTRIES]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
  named.set(language, sorted);
  return sorted;
}

/** Words for a name without a translation: `pay_by_bank`, `payByBank` → "Pay by bank". */
export function nameInWords(name: string): string {
  const spaced = name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
