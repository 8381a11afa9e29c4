import type { Notes } from '#functions/openapi/word-book.ts';
import { REFUND_FAILURES } from '#shared/domain/payments/refund-failures.catalog.ts';

const codes = (catalog: object): string =>
  Object.keys(catalog)
    .map((code) => `\`${code}\``)
    .join(', ');

export const PAYMENTS_NOTES = {
  Attempt: {
    this: 'Fields that the provider did not tell are missing.',
    id: 'The id of the attempt.',
    connection_id: 'The connection that was tried.',
    status: 'How the attempt stands. `processing`: the provider has not decided.',
    latency_ms: 'How long the provider took, in milliseconds. Null without an answer.',
    'avs.code': "The network's letter.",
    'avs.address': 'Whether the street address is that of the card.',
    'avs.postal_code': 'Whether the postal code is that of the card.',
    card: 'What the provider tells about the card.',
    network_transaction_id:
      "The network's id: send it as `mit.network_transaction_id` when the saved card is charged again.",
    network_decline_code: "The issuer's response code, such as `51` (ISO 8583).",
    advice_code: "The network's advice after a decline, such as `03`: do not try again.",
    avs: "The check of the address. `code` is the network's letter.",
    cvc: 'The check of the security code.',
    eci: 'Electronic commerce indicator of 3-D Secure, such as `05`.',
    liability_shift: 'Whether the issuer bears the loss of a fraud.',
  },
  Capture: {
    this: 'Takes authorized money.',
    status: '`pending` while the provider has not decided.',
    final: 'The rest of the authorization is released with it.',
  },
  CapturePayment: {
    this: 'Without `amount` all that is left is captured.',
    final: 'Default true: the rest of the authorization is released. `false` needs `multi_capture`.',
  },
  ConfirmIntent: {
    this:
      "As `ConfirmPayment`. Where the customer is sent afterwards, and all but what a browser knows, the shop's " +
      'server has said.',
    client_secret: 'The `client_secret` of the response that created the intent.',
  },
  ConfirmPayment: {
    this:
      '`payment_method` is for a payment that is `created`, `input` for a `next_action` that waits for it; at any ' +
      'other time either is refused. Other fields are for a payment that is `created`, too: each replaces that of ' +
      'the intent.',
  },
  CreatePayment: {
    this: 'A payment. It is routed to a connection and charged at once, or after `confirm` if it is an intent.',
    method: 'The payment method, such as `card`. It may also stand in `payment_method.type`.',
    payment_method: 'What the customer pays with.',
    description: 'What the customer pays for, 1 to 500 characters.',
    order: 'What is bought.',
    capture:
      '`manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default: ' +
      '`automatic`.',
  },
  NextAction: {
    this: 'What the customer has to do, and what `confirm` waits for.',
    method: 'How the browser goes there.',
    fields: 'The form fields of a `POST`.',
    field: 'What to ask the customer for; send it as `input` to `confirm`.',
    provider: 'Whose library to use.',
    data: 'What that library needs.',
  },
  Payment: {
    this: 'A declined payment is no error: its `status` is `failed`, and `failure` says why.',
  },
  PaymentList: {
    this:
      'Newest first. Where hits are rare or payments large, a page holds fewer than `limit`, or none: while ' +
      '`has_more` is true, `Link` leads on.',
    payments: 'The payments of this page.',
  },
  Refund: {
    this: 'Gives money back.',
    status: '`pending` while the provider has not decided.',
    reason: 'Your own reason. Null without one.',
    psp_reference: "The provider's own id of the refund. Null until it has given one.",
    failure: `Why the refund failed; null unless \`status\` is \`failed\`. Codes: ${codes(REFUND_FAILURES)}.`,
  },
  RefundPayment: {
    this:
      'Without `amount` all that is left is refunded. An amount that the provider cannot express exactly, or that is ' +
      'too small for it, is refused (`amount_not_supported`). Refunding a part may leave such an amount.',
    reason: 'Your own reason, for people.',
    force:
      'Refund it although the customer disputes it (`payment_disputed`). The customer may then get the money twice.',
  },
  'ConfirmPayment, CreatePayment': {
    save:
      '`true`: the provider shall keep the payment method, and once the payment is authorized or paid, it is a ' +
      'saved one of the customer: see `payment_method_id`.',
  },
  'Payment, PaymentIntent': {
    status:
      '`requires_action`: see `next_action`. `authorized`: capture it. `succeeded`, `failed`, `canceled` and ' +
      '`refunded` are final, but a late success can follow a failure.',
    country: 'The country of the payer, ISO 3166-1 alpha-2. Null if it is unknown.',
    customer_id: "The merchant's own id of the customer. Null without one.",
    customer_email: "The customer's email address. Null without one.",
    customer_ip: "The customer's IP address. Null without one.",
    description: 'What the customer pays for. Null without one.',
    connection_id: 'The connection that is or was charged. Null before the first attempt.',
    provider: 'The provider of that connection. Null before the first attempt.',
    amount_refunded: "What refunds have given back, in the currency's minor unit.",
    refunds: 'Its refunds, oldest first.',
    attempts: 'Its attempts at providers, oldest first.',
    next_action: 'What the customer has to do. Null unless the status is `requires_action`.',
    late_success: 'Whether it succeeded after it had failed or was canceled.',
    review: 'Why a person should look at it. Null if nobody has to.',
    'review.reason': 'Why.',
    'review.at': 'Since when.',
    routing: 'How the connection was chosen. Null before the first attempt.',
    'routing.source': 'What decided: an A/B test, a routing rule or default routing.',
    'routing.considered': 'The connections in their order.',
    'routing.considered[].connection_id': 'The connection.',
    'routing.considered[].usable': 'Whether it could take the payment.',
    'routing.considered[].reason': 'Why it could not. Null if it could.',
    fraud: 'What the fraud policy said. Null if it was not asked.',
    'fraud.decision': '`passed`, `flagged` or `blocked`.',
    'fraud.reasons': 'Which rules applied.',
    payment_link_id: 'The payment link that it was made with. Null without one.',
    capture: '`manual`: the amount is authorized first, and captured later.',
    captures: 'Its captures, oldest first.',
    amount_disputed:
      'What disputes withhold or have taken, in minor units: see `GET /v1/disputes?payment_id=`. Missing on a ' +
      'payment that was never disputed. It is never part of `amount_refunded`.',
    'routing.stopped': 'Why the remaining connections were not tried.',
    invoice_id: 'The invoice that this payment is for; missing on payments without an invoice.',
    payment_method_id: 'The saved payment method that it is charged with, or that it has made (`save`).',
    authorized_amount: 'What the provider authorized; null until it has. It may be less than `amount`.',
    partially_approved: 'The issuer approved only a part of `amount`.',
    captured_amount: 'What succeeded captures have taken. Refunds give back at most this.',
    released_amount: 'What of the authorization was not captured.',
    capturable_until:
      'What is not captured by then is released: the payment fails with `authorization_expired`. Null until the ' +
      'amount is authorized.',
  },
  'CapturePayment, CreatePayment, RefundPayment': {
    amount: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
  },
  'ConfirmIntent, ConfirmPayment, CreatePayment, CreatePaymentLink, RetryPayment, SimulateRouting': {
    billing: "The payer, as the card's issuer knows them.",
    shipping: 'Whom the goods go to.',
  },
  Failure: {
    this: 'Why something failed.',
    code: 'What happened, such as `insufficient_funds`. Unknown codes may be added: then go by `category`.',
    category:
      '`soft_decline` may work later, `hard_decline` will not. `configuration` is about the account at the provider.',
    message: 'One sentence for people.',
    provider_code: "The provider's own code. Null if it gave none.",
    retryable: 'Whether the same payment method may be tried again.',
  },
  'ConfirmIntent, ConfirmPayment': {
    input: 'What `next_action` asked for, by field.',
    'input{}': 'The text that the customer entered.',
    payment_method: 'What the customer pays with.',
  },
  'ConfirmPayment, RetryPayment': {
    order: 'What is bought. It replaces that of the payment.',
  },
  RetryPayment: {
    this: 'Another attempt of a payment that has failed.',
    payment_method: 'What the customer pays with. Without it the same one is tried again.',
  },
  ConfirmedIntent: {
    next_action: 'What the customer has to do. Null unless the status is `requires_action`.',
    this: "What the customer's browser may know of the payment.",
    status: 'How the payment stands.',
  },
  PaymentIntent: {
    this: 'A payment that waits for its confirmation.',
    client_secret: "Lets the customer's browser confirm this payment with a public key.",
  },
  'GET /v1/payments': {
    status: 'Only payments with this status.',
    customer_id: 'Only payments of this customer.',
    connection_id: 'Only payments that this connection was charged for.',
  },
} as const satisfies Notes;
