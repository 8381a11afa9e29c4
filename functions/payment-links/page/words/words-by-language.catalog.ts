import { DE } from '#functions/payment-links/page/words/de.catalog.ts';
import { EN } from '#functions/payment-links/page/words/en.catalog.ts';
import { ES } from '#functions/payment-links/page/words/es.catalog.ts';
import { FR } from '#functions/payment-links/page/words/fr.catalog.ts';
import { NL } from '#functions/payment-links/page/words/nl.catalog.ts';
import { PT } from '#functions/payment-links/page/words/pt.catalog.ts';
import type { Words } from '#functions/payment-links/page/words/words.model.ts';

/** Adding a language is adding a line here, one in `LANGUAGES`, and its catalog. */
export const WORDS = { en: EN, de: DE, fr: FR, es: ES, nl: NL, pt: PT } as const satisfies Record<string, Words>;
