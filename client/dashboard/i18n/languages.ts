/** The languages of the frame: those of the payment pages. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  nl: 'Nederlands',
  pt: 'Português',
};

const CHOICE = 'payfork.language';

const languageOf = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => tag === language || tag?.startsWith(`${language}-`));

/** The language that was chosen here, else the first of the browser's that we have, else English. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(CHOICE), ...navigator.languages];
  return wanted.map(languageOf).find((language) => language !== undefined) ?? 'en';
}

export const rememberLanguage = (language: Language): void => localStorage.setItem(CHOICE, language);

/** The browser's own locale of this language, so that dates keep the order of the viewer's country. */
export const localeFor = (language: Language): string =>
  navigator.languages.find((tag) => languageOf(tag) === language) ?? language;
