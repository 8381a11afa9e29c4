import type { Words } from '#functions/hosted-pages/locales/locale.model.ts';
import { WORDS } from '#functions/hosted-pages/locales/locales.catalog.ts';
import { sumInWords } from '#functions/hosted-pages/views/format.page.ts';
import type { Language } from '#functions/hosted-pages/views/language.page.ts';
import type { LinkFacts } from '#functions/hosted-pages/views/link-view.model.ts';

/** What every part of a page renders with. */
export type Say = { readonly language: Language; readonly words: Words };

export const speaking = (language: Language): Say => ({ language, words: WORDS[language] });

export const sumOf = ({ amount, currency }: LinkFacts, { language }: Say): string =>
  sumInWords(amount, currency, language);

/** "Payment to the shop", or "Payment" where the shop has no name. */
export const toWhom = ({ merchant }: LinkFacts, { words }: Say): string =>
  merchant.trim() === '' ? words.payment : `${words.paymentTo} ${merchant}`;

/** The title: the state first, then what the page is about. */
export const titleOf = (heading: string, link: LinkFacts, say: Say): string =>
  `${heading} – ${sumOf(link, say)} – ${link.merchant}`;
