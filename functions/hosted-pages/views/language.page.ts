export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

const USUAL: Language = 'en';
/** The longest header that is read. */
const LONGEST = 500;
const RANGE = /^(\*|[a-z]{1,8})(?:-[a-z0-9]{1,8})*(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** The language that a visitor reads best among ours, by `Accept-Language`. */
export function languageOf(header: string | undefined): Language {
  const ranges = (header ?? '').slice(0, LONGEST).toLowerCase().replaceAll(/\s/g, '').split(',');
  const wanted = ranges.flatMap((range) => {
    const [, tag = '', quality = '1'] = RANGE.exec(range) ?? [];
    const language = tag === '*' ? USUAL : LANGUAGES.find((each) => each === tag);
    return language && Number(quality) > 0 ? [{ language, quality: Number(quality) }] : [];
  });
  return wanted.sort((a, b) => b.quality - a.quality)[0]?.language ?? USUAL;
}
