import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_METHODS_OF_CUSTOMER } from '#shared/domain/payment-methods/payment-method.model.ts';

export const CUSTOMERS_NOTES = {
  CreatePaymentMethod: {
    this: 'Saves a payment method that providers have tokens of.',
    type: 'The payment method, such as `card`.',
    tokens: 'By provider: tokens that can be charged without the customer. They are never returned.',
  },
  Customer: {
    erasure: 'The erasure that is under way. Null if none is.',
    this: 'What is kept of a customer.',
    default_payment_method_id: 'The saved payment method that is used by default. Null without one.',
    payment_links: 'How many payment links are kept of the customer.',
    invoices: 'How many invoices are kept of the customer.',
    payment_methods: 'See `GET /v1/payment-methods?customer_id=`.',
    payments: 'That name the customer. Recent ones may not be counted yet.',
    subscriptions: 'Open and closed ones.',
  },
  CustomerErasure: {
    this: 'Runs until nothing is left that names the customer.',
    requested_at: 'When the erasure was requested.',
  },
  Dispute: {
    this: "A customer's dispute of a charge, as its provider has it.",
    'answer.type': 'Accepted, or contested with evidence.',
    'answer.at': 'When it was answered.',
    'answer.by': 'Who answered: a user, an API key or `system`.',
    'answer.fields': 'Which fields of evidence were sent.',
    'answer_options.accept': 'Whether it can be accepted here.',
    'answer_options.evidence_fields': 'Which fields of evidence the provider takes. Empty: answer in its dashboard.',
    opened_at: 'When the customer disputed the payment.',
    closed_at: 'When it was decided. Null while it is open.',
    reason: 'Why the customer disputes, in words of this API.',
    connection_id: 'The connection of the payment.',
    psp_reference: "The provider's id of the dispute.",
    charge_reference: "The provider's id of the disputed charge. Null if the provider does not tell.",
    amount: 'What is disputed, in minor units of `currency`.',
    status:
      '`warning`: an inquiry; no money is withheld yet. `needs_response` and `under_review`: the money is withheld. ' +
      '`won`: it came back, or was never taken. `lost`, `accepted` and `expired`: it is gone, by a decision, ' +
      'because the shop gave in, or because nobody answered in time.',
    provider_reason: 'The code of the provider or of the card network. Null if there is none.',
    respond_by: 'Until when it can be answered; `null` if the provider does not tell.',
    answer: 'What the shop answered through this service, and which user or key did so. Null until then.',
    answer_options: 'How it can be answered now. Nothing: it cannot be, or only in the dashboard of the provider.',
    created_at: 'When this service heard of it.',
  },
  DisputeEvidence: {
    this:
      'Texts in the words of the shop. A provider takes those that `answer_options.evidence_fields` of the dispute ' +
      'names. They go to the provider and are not kept here. Dates are `YYYY-MM-DD`.',
    explanation: 'Your answer in your own words.',
    product_description: 'What was sold.',
    customer_name: 'The name of the customer.',
    customer_email: 'The email address of the customer.',
    customer_ip: 'The IP address from which the customer bought.',
    customer_phone: 'The phone number of the customer.',
    billing_address: 'The billing address.',
    shipping_address: 'Where it was sent.',
    shipping_carrier: 'Who carried it.',
    tracking_number: 'The tracking number of the carrier.',
    shipping_date: 'The day it was sent, as YYYY-MM-DD.',
    service_date: 'The day of the service, as YYYY-MM-DD.',
    refund_policy: 'Your refund policy.',
    refund_refusal: 'Why you do not refund.',
    cancellation_policy: 'Your cancellation policy.',
    cancellation_refusal: 'Why you do not accept the cancellation.',
    access_log: 'When the customer used a digital product.',
    duplicate_explanation: 'Why the charge is not a duplicate.',
  },
  DisputeList: {
    this:
      'Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is ' +
      'true, the `Link` header leads to the next page.',
    disputes: 'The disputes of this page.',
  },
  'GET /v1/disputes': {
    status: 'Only disputes with this status.',
    provider: 'Only disputes at this provider.',
    payment_id: 'Only disputes of this payment.',
    respond_by_before:
      'Only disputes that still wait for an answer (`warning`, `needs_response`), due before this time.',
  },
  SavedPaymentMethod: {
    this: "A customer's card or account, kept for later payments.",
    type: 'The payment method, such as `card`.',
    mode: '`sandbox` for test money, `live` for real money.',
    network_transaction_id:
      "The network's id of the payment in which the customer agreed to be charged later. Null if it is unknown.",
    card: 'As far as it is known. `null` for other than cards.',
    providers: 'Those that have a token of it. A payment with it goes to their connections only.',
    default: "Exactly one of a customer's methods is the default: at first the first.",
  },
  SavedPaymentMethodList: {
    this: `Newest first. A customer may have up to ${MAX_METHODS_OF_CUSTOMER}.`,
    payment_methods: 'The payment methods of this page.',
  },
  UpdatePaymentMethod: {
    this: 'Fields that are not sent stay unchanged.',
    tokens: 'Each adds or replaces the token of its provider; `null` removes it.',
  },
  'CreatePaymentMethod, UpdatePaymentMethod': {
    default: '`true`: it becomes the default of its customer.',
    card: 'What people see of the card. Never a card number.',
    network_transaction_id:
      "The network's id of the payment in which the customer agreed to be charged later. Payments with `mit` refer " +
      'to it.',
  },
  'GET /v1/customers/{customer_id}, DELETE /v1/customers/{customer_id}': {
    customer_id: "The shop's reference, percent-encoded.",
  },
  'CreatePaymentMethod, SavedPaymentMethod, UpdatePaymentMethod': {
    'card.brand': 'The brand of the card, such as `visa`.',
    'card.last4': 'The last four digits.',
    'card.exp_month': 'The month in which it expires, 1 to 12.',
    'card.exp_year': 'The year in which it expires, with four digits.',
    'card.funding': 'How the card is funded.',
  },
  'GET /v1/payment-methods': {
    customer_id: 'Only payment methods of this customer.',
  },
} as const satisfies Notes;
