import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Catalog, loadCatalogs } from '#client/dashboard/i18n/catalog.ts';
import { type Formats, formatsFor } from '#client/dashboard/i18n/formats.ts';
import { type Language, localeFor, preferredLanguage, rememberLanguage } from '#client/dashboard/i18n/languages.ts';

type I18n = {
  readonly language: Language;
  readonly setLanguage: (language: Language) => Promise<void>;
  readonly formats: Formats;
};

const Context = createContext<I18n | undefined>(undefined);

let active: Language = 'en';
/** For code outside of components, such as the loading of a screen. */
export const activeLanguage = (): Language => active;

async function activate(language: Language): Promise<void> {
  await loadCatalogs(language);
  active = language;
  document.documentElement.lang = language;
}

/** Before the first drawing, so that nobody sees English first. Without its texts the page is drawn in English. */
export const startI18n = (): Promise<void> => activate(preferredLanguage()).catch(() => undefined);

export function I18nProvider({ children }: { readonly children: ComponentChildren }) {
  const [language, show] = useState(active);
  const value = useMemo<I18n>(
    () => ({
      language,
      setLanguage: async (next) => {
        await activate(next);
        rememberLanguage(next);
        show(next);
      },
      formats: formatsFor(localeFor(language)),
    }),
    [language],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export function useI18n(): I18n {
  const value = useContext(Context);
  if (!value) throw new Error('useI18n needs an I18nProvider around it.');
  return value;
}

/** The texts of this catalog in the active language. */
export const useMessages = <M,>(catalog: Catalog<M>): M => catalog.of(useI18n().language);

/** How this viewer reads numbers, money and dates. */
export const useFormats = (): Formats => useI18n().formats;
