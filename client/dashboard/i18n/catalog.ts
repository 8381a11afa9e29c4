import type { Language } from '#client/dashboard/i18n/languages.ts';

type Loaders<M> = Readonly<Record<Exclude<Language, 'en'>, () => Promise<M>>>;

/** The texts of one part of the dashboard. English is always there; another language is loaded when it is active. */
export type Catalog<M> = {
  readonly of: (language: Language) => M;
  readonly load: (language: Language) => Promise<void>;
};

const catalogs: Catalog<unknown>[] = [];

/** Call it at the top of a module: the catalog is then loaded together with the screen. */
export function defineCatalog<M>(en: M, loaders: Loaders<M>): Catalog<M> {
  const loaded = new Map<Language, M>([['en', en]]);
  const catalog: Catalog<M> = {
    of: (language) => loaded.get(language) ?? en,
    load: async (language) => {
      if (language !== 'en' && !loaded.has(language)) loaded.set(language, await loaders[language]());
    },
  };
  catalogs.push(catalog);
  return catalog;
}

/** Loads what the parts defined so far need to speak this language. */
export const loadCatalogs = async (language: Language): Promise<void> => {
  await Promise.all(catalogs.map((catalog) => catalog.load(language)));
};
