import type { Language } from '#functions/hosted-pages/views/i18n.page.ts';
import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';

const MINUTE_SECONDS = 60;

/** Such as "in 5 minutes". */
export function formatWait(seconds: number, language: Language): string {
  const formatter = new Intl.RelativeTimeFormat(language);
  return seconds < 2 * MINUTE_SECONDS
    ? formatter.format(Math.max(1, Math.ceil(seconds)), 'second')
    : formatter.format(Math.ceil(seconds / MINUTE_SECONDS), 'minute');
}

type Country = { readonly code: string; readonly name: string };

const countriesByLanguage = new Map<Language, readonly Country[]>();

/** All countries, sorted by their name in the language. Sorting takes milliseconds, so the result is cached. */
export function listCountries(language: Language): readonly Country[] {
  const cached = countriesByLanguage.get(language);
  if (cached) return cached;
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  const sorted = [...COUNTRIES]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
  countriesByLanguage.set(language, sorted);
  return sorted;
}

/** A readable form of a name without a translation: `pay_by_bank`, `payByBank` → "Pay by bank". */
export function humanize(name: string): string {
  const spaced = name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
