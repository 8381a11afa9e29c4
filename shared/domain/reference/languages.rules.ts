import { CUSTOMER_LANGUAGES, type CustomerLanguage } from '#shared/domain/accounts/organization.model.ts';

const DEFAULT_LANGUAGE: CustomerLanguage = 'en';
/** Longer `Accept-Language` headers are cut off here. */
const MAX_HEADER_LENGTH = 500;
const LANGUAGE_RANGE = /^(\*|[a-z]{1,8})(?:-[a-z0-9]{1,8})*(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** The supported language that a browser's user prefers, by the `Accept-Language` header. */
export function languageOf(header: string | undefined): CustomerLanguage {
  const ranges = (header ?? '').slice(0, MAX_HEADER_LENGTH).toLowerCase().replaceAll(/\s/g, '').split(',');
  const supported = ranges.flatMap((range) => {
    const [, tag = '', quality = '1'] = LANGUAGE_RANGE.exec(range) ?? [];
    const language = tag === '*' ? DEFAULT_LANGUAGE : CUSTOMER_LANGUAGES.find((each) => each === tag);
    return language && Number(quality) > 0 ? [{ language, quality: Number(quality) }] : [];
  });
  return supported.sort((a, b) => b.quality - a.quality)[0]?.language ?? DEFAULT_LANGUAGE;
}
