import { defineCatalog } from '#client/dashboard/i18n/catalog.ts';

/** What a payment's status and the code of its failure are called. What is missing is the API's own word, in English. */
export type PaymentWords = {
  readonly statuses: Readonly<Record<string, string>>;
  readonly failures: Readonly<Record<string, string>>;
};

const EN: PaymentWords = { statuses: { requires_action: 'Waiting for customer' }, failures: {} };

export const PAYMENT_WORDS = defineCatalog<PaymentWords>(EN, {
  de: async () => (await import('#client/dashboard/i18n/payment-words-de.catalog.ts')).DE,
  es: async () => (await import('#client/dashboard/i18n/payment-words-es.catalog.ts')).ES,
  fr: async () => (await import('#client/dashboard/i18n/payment-words-fr.catalog.ts')).FR,
  nl: async () => (await import('#client/dashboard/i18n/payment-words-nl.catalog.ts')).NL,
  pt: async () => (await import('#client/dashboard/i18n/payment-words-pt.catalog.ts')).PT,
});
