import { DE } from '#functions/hosted-pages/locales/de.catalog.ts';
import { EN } from '#functions/hosted-pages/locales/en.catalog.ts';
import { ES } from '#functions/hosted-pages/locales/es.catalog.ts';
import { FR } from '#functions/hosted-pages/locales/fr.catalog.ts';
import type { Words } from '#functions/hosted-pages/locales/locale.model.ts';
import { NL } from '#functions/hosted-pages/locales/nl.catalog.ts';
import { PT } from '#functions/hosted-pages/locales/pt.catalog.ts';

/** Adding a language is adding a line here, one in `LANGUAGES`, and its catalog. */
export const WORDS = { en: EN, de: DE, fr: FR, es: ES, nl: NL, pt: PT } as const satisfies Record<string, Words>;
