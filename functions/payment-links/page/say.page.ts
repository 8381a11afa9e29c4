import { sumInWords } from '#functions/payment-links/page/in-words.page.ts';
import type { Language } from '#functions/payment-links/page/language.page.ts';
import type { LinkFacts } from '#functions/payment-links/page/link-view.model.ts';
import type { Words } from '#functions/payment-links/page/words/words.model.ts';
import { WORDS } from '#functions/payment-links/page/words/words-by-language.catalog.ts';

/** What every part of a page renders with. */
export type Say = { readonly language: Language; readonly words: Words };

export const speaking = (language: Language): Say => ({ language, words: WORDS[language] });

export const sumOf = ({ amount, currency }: LinkFacts, { language }: Say): string => sumInWords(amount, currency, language);

/** "Payment to the shop", or "Payment" where the shop has no name. */
export const toWhom = ({ merchant }: LinkFacts, { words }: Say): string => (merchant.trim() === '' ? words.payment : `${words.paymentTo} ${merchant}`);

/** The title: the state first, then what the page is about. */
export const titleOf = (heading: string, link: LinkFacts, say: Say): string => `${heading} – ${sumOf(link, say)} – ${link.merchant}`;
