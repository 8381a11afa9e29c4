import { DE } from '#functions/hosted-pages/locales/de.catalog.ts';
import { EN } from '#functions/hosted-pages/locales/en.catalog.ts';
import { ES } from '#functions/hosted-pages/locales/es.catalog.ts';
import { FR } from '#functions/hosted-pages/locales/fr.catalog.ts';
import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';
import { NL } from '#functions/hosted-pages/locales/nl.catalog.ts';
import { PT } from '#functions/hosted-pages/locales/pt.catalog.ts';
import type { LinkSummary } from '#functions/hosted-pages/views/link-view.model.ts';
import { CUSTOMER_LANGUAGES, type CustomerLanguage } from '#shared/domain/accounts/organization.model.ts';
import { formatAmount } from '#shared/domain/reference/format.rules.ts';

export const LANGUAGES = CUSTOMER_LANGUAGES;
export type Language = CustomerLanguage;

/** Adding a language is adding a line here, one in `CUSTOMER_LANGUAGES`, and its catalogs. */
export const MESSAGES = { en: EN, de: DE, fr: FR, es: ES, nl: NL, pt: PT } as const satisfies Record<
  Language,
  Messages
>;

/** What every part of a page renders with. */
export type I18n = { readonly language: Language; readonly messages: Messages };

export const i18nFor = (language: Language): I18n => ({ language, messages: MESSAGES[language] });

export const amountText = ({ amount, currency }: LinkSummary, { language }: I18n): string =>
  formatAmount(amount, currency, language);

/** "Payment to Shop", or "Payment" where the shop has no name. */
export const payeeText = ({ merchant }: LinkSummary, { messages }: I18n): string =>
  merchant.trim() === '' ? messages.payment : `${messages.paymentTo} ${merchant}`;

/** The heading comes first: browser tabs cut titles off at their end. */
export const pageTitle = (heading: string, link: LinkSummary, i18n: I18n): string =>
  `${heading} – ${amountText(link, i18n)} – ${link.merchant}`;
