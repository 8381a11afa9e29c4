import type { Notes } from '#functions/openapi/word-book.ts';

export const PAYMENT_LINKS_NOTES = {
  CreatePaymentLink: {
    this: 'A page where customers pay, without code at the merchant.',
    description: 'What the customer pays for, as the page shows it.',
    order: 'What is bought.',
    amount: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
    methods: 'The methods that customers can choose from. Defaults to `card`.',
    expires_at: 'No payment can start from then on. Must be in the future.',
    max_payments: 'The maximum number of payments. Defaults to 1.',
    metadata: 'Copied to each payment of the link.',
    capture:
      '`manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default: ' +
      '`automatic`.',
    customer_id: 'The customer who makes its payments.',
    save: '`true`: its payments keep their payment method for the customer.',
    payment_method:
      'A saved payment method, `pm_…`, that its payments are charged with. Whoever opens the page pays with it: ' +
      'send its address to the customer alone.',
  },
  CreatedPaymentLink: {
    this: 'The link, with what to look out for.',
    'warnings[].code': 'What it is about.',
    'warnings[].method': 'The payment method.',
    'warnings[].message': 'One sentence for people.',
    warnings:
      'Methods that no connection takes now, and why. The page does not offer them until one does; a link without ' +
      'any other method cannot be paid until then.',
  },
  PaymentLinkList: {
    this:
      'Newest first. A page of large links may contain fewer than `limit`: follow the `Link` header until there is ' +
      'none.',
    payment_links: 'The links of this page.',
  },
  'CreatedPaymentLink, PaymentLink': {
    description: 'What the customer pays for. Null without one.',
    capture: '`manual`: payments are authorized first, and captured later.',
    expires_at: 'When it stops taking payments. Null: never.',
    max_payments: 'How many payments it takes.',
    payments_made: 'How many payments it has taken.',
    methods: 'The payment methods that the page offers.',
    payment_method_id: 'The saved payment method that the customer can pay with. Missing without one.',
    save: 'The payment method is kept for the customer.',
    url: 'The page where customers pay.',
    status: '`completed`: it has reached `max_payments`. Only an `active` link takes new payments.',
  },
  PaymentLink: {
    this: 'A page where customers pay.',
  },
  'GET /v1/payment-links': {
    status: 'Only links with this status.',
  },
} as const satisfies Notes;
