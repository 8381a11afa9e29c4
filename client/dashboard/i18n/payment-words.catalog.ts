import { defineCatalog } from '#client/dashboard/i18n/catalog.ts';

/** What a payment's states and the code of its failure are called. What is missing is the API's own word, in English. */
export type PaymentWords = {
  readonly statuses: Readonly<Record<string, string>>;
  readonly refundedPart: (amount: string) => string;
  readonly disputed: string;
  readonly failures: Readonly<Record<string, string>>;
};

const EN: PaymentWords = {
  statuses: { requires_action: 'Waiting for customer' },
  refundedPart: (amount) => `${amount} refunded`,
  disputed: 'Disputed',
  failures: {
    do_not_honor: 'Declined by the bank',
    issuer_unavailable: 'Bank not reachable',
    authentication_required: 'Customer has to confirm',
    authentication_failed: 'Not confirmed by the customer',
    incorrect_cvc: 'Wrong security code',
    invalid_expiry: 'Wrong expiry date',
    incorrect_pin: 'Wrong PIN or code',
    call_issuer: 'Customer must call the bank',
    transaction_not_allowed: 'Not allowed by the bank',
    restricted_card: 'Card blocked',
    fraud_suspected: 'Suspected fraud',
    fraud_blocked: 'Blocked by your fraud policy',
    customer_canceled: 'Canceled by the customer',
    provider_unavailable: 'Provider not reachable',
    invalid_configuration: 'Refused by the provider',
    no_route: 'No connection can take it',
    retry_budget_exhausted: 'Declined too often',
  },
};

export const PAYMENT_WORDS = defineCatalog<PaymentWords>(EN, {
  de: async () => (await import('#client/dashboard/i18n/payment-words-de.catalog.ts')).DE,
  es: async () => (await import('#client/dashboard/i18n/payment-words-es.catalog.ts')).ES,
  fr: async () => (await import('#client/dashboard/i18n/payment-words-fr.catalog.ts')).FR,
  nl: async () => (await import('#client/dashboard/i18n/payment-words-nl.catalog.ts')).NL,
  pt: async () => (await import('#client/dashboard/i18n/payment-words-pt.catalog.ts')).PT,
});
