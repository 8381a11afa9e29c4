import type { DISPUTE_REASONS, DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import type { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import type { Role, Scope } from '#shared/domain/reference/access.catalog.ts';

type Words<T extends string> = Readonly<Record<T, string>>;

const PAYMENT_STATUS: Words<(typeof PAYMENT_STATUSES)[number]> = {
  created: 'It waits for `confirm`.',
  processing: 'A provider has it, and has not decided. Wait for the event.',
  requires_action: 'The customer has something to do: see `next_action`.',
  authorized: 'The amount is reserved. Capture it before `capturable_until`.',
  succeeded: 'The money is taken.',
  failed: 'No money was taken; `failure` says why.',
  canceled: 'It was canceled before money was taken.',
  refunded: 'All of it was given back.',
};

const DISPUTE_STATUS: Words<(typeof DISPUTE_STATUSES)[number]> = {
  warning: 'An inquiry: no money is withheld yet.',
  needs_response: 'The money is withheld. Answer before `respond_by`.',
  under_review: 'The bank has your answer.',
  won: 'The money is yours again.',
  lost: 'The customer got the money.',
  accepted: 'You accepted: the customer got the money.',
  expired: 'Nobody answered in time: the customer got the money.',
};

const DISPUTE_REASON: Words<(typeof DISPUTE_REASONS)[number]> = {
  fraudulent: 'The customer did not make the payment.',
  unrecognized: 'The customer does not know the charge.',
  duplicate: 'The customer was charged twice.',
  product_not_received: 'Nothing arrived.',
  product_unacceptable: 'What arrived is not what was promised.',
  subscription_canceled: 'The customer had canceled.',
  credit_not_processed: 'A promised refund did not arrive.',
  processing_error: 'Amount, currency or date are wrong.',
  authorization: 'The charge had no valid authorization.',
  debit_not_authorized: 'The debit had no mandate.',
  insufficient_funds: 'The account had too little money.',
  general: 'Another reason.',
};

const ROLE: Words<Role> = {
  owner: 'Everything, and who else is an owner.',
  admin: 'Everything but owners.',
  member: 'Everything but API keys and members.',
  viewer: 'Reading.',
};

const SCOPE: Words<Scope> = {
  'connections:read': 'Read connections, routing rules and A/B tests.',
  'connections:write': 'Change connections, routing rules and A/B tests.',
  'payments:read': 'Read payments, disputes, payment links, customers and saved payment methods.',
  'payments:write': 'Charge, capture, cancel, refund, answer disputes and make payment links.',
  'fraud:read': 'Read the fraud policy.',
  'fraud:write': 'Change the fraud policy.',
  'webhooks:read': 'Read events and the webhook configuration.',
  'webhooks:write': 'Change the webhook configuration and send events again.',
  'subscriptions:read': 'Read subscriptions and retry policies.',
  'subscriptions:write': 'Change subscriptions and retry policies.',
  'invoices:read': 'Read invoices.',
  'invoices:write': 'Retry and cancel invoices.',
  'api_keys:read': 'Read which API keys there are.',
  'api_keys:write': 'Create and revoke API keys.',
  'workflows:read': 'Read workflows and their executions.',
  'workflows:write': 'Change workflows and start them.',
};

/** Words for the values of enumerations. They stand wherever exactly these values are allowed. */
export const VALUE_NOTES: readonly Readonly<Record<string, string>>[] = [
  PAYMENT_STATUS,
  DISPUTE_STATUS,
  DISPUTE_REASON,
  ROLE,
  SCOPE,
  {
    soft_decline: 'It may work later, or at another provider.',
    hard_decline: 'It will not work with this payment method.',
    fraud: 'A fraud check refused it.',
    provider_error: 'The provider failed.',
    configuration: 'The account at the provider, or its connection, does not allow it.',
    expired: 'The customer or the time ran out.',
  },
  {
    open: 'It is being collected.',
    paid: 'It is paid.',
    failed: 'All attempts are used up.',
    canceled: 'It is not collected.',
  },
  {
    active: 'It is charged each period.',
    paused: 'It is not charged until it is resumed.',
    canceled: 'It has ended for good.',
  },
  {
    active: 'It takes payments.',
    completed: 'It has all its payments.',
    expired: 'Its time is over.',
    inactive: 'It was deactivated.',
  },
  {
    pending: 'It has not begun.',
    running: 'A step runs.',
    waiting: 'It waits for a delay or the next attempt of a step.',
    succeeded: 'All steps ran.',
    failed: 'A step failed.',
    canceled: 'Somebody canceled it.',
    refused: "The plan's executions were used up.",
  },
  {
    pending: 'Nobody has decided.',
    approved: 'The agent may repeat its request.',
    rejected: 'A person has said no.',
    used: 'The agent has repeated its request.',
    expired: 'Nobody decided, or nothing was repeated, in time.',
  },
  {
    pending: 'It is being delivered.',
    delivered: 'Your endpoint has taken it.',
    failed: 'All attempts are used up, or webhooks are disabled.',
    skipped: 'The configuration did not ask for it.',
  },
  {
    service: 'For servers, with the scopes of the key.',
    secret: 'The same as `service`.',
    public: 'For web pages: it may only do what the request also has a secret for.',
  },
  {
    unknown: 'It had no calls lately.',
    healthy: 'Calls succeed.',
    degraded: 'Some calls fail: routing prefers others.',
    down: 'Most calls fail: routing avoids it.',
  },
  {
    routed: 'A connection would be charged.',
    blocked: 'The fraud policy would refuse it.',
    no_route: 'No connection could take it.',
    refused: 'The API would refuse it.',
  },
  {
    recurring: 'A subscription.',
    instalment: 'A part of a price.',
    unscheduled: 'At no fixed time, such as a top-up.',
  },
  {
    preferred: 'Ask the customer if the bank allows it.',
    required: 'Always ask the customer.',
    avoid: 'Ask the customer only if the bank demands it.',
  },
  {
    low_value: 'The amount is small.',
    transaction_risk_analysis: 'The risk is low.',
    trusted_beneficiary: 'The customer has told the bank to trust the shop.',
    secure_corporate: 'A company pays in its own way.',
  },
];

/** What each payment method is. The providers' capabilities say which of them a connection can take. */
export const METHOD_NOTES: Readonly<Record<string, string>> = {
  alipay: 'The wallet Alipay.',
  bancontact: 'Bancontact, in Belgium.',
  bank: 'A bank account, in Nigeria.',
  bank_transfer: 'A transfer that the customer makes.',
  belfius: 'Online banking of Belfius, in Belgium.',
  bizum: 'Bizum, in Spain.',
  blik: 'BLIK, in Poland.',
  card: 'A credit, debit or prepaid card.',
  eft: 'An electronic funds transfer, in South Africa.',
  eps: 'eps, in Austria.',
  ideal: 'iDEAL, in the Netherlands.',
  kbc: 'Online banking of KBC and CBC, in Belgium.',
  klarna: 'Klarna: the customer pays later.',
  knet: 'KNET, in Kuwait.',
  mbway: 'MB WAY, in Portugal.',
  mobile_money: 'An account at a mobile network.',
  mobilepay: 'MobilePay, in Denmark and Finland.',
  multibanco: 'Multibanco, in Portugal.',
  mybank: 'MyBank, in Italy.',
  netbanking: 'Online banking, in India.',
  p24: 'Przelewy24, in Poland.',
  paypal: 'PayPal, where it is a method of another provider.',
  paysafecard: 'A prepaid code of paysafecard.',
  qr: 'A QR code that the customer scans.',
  satispay: 'Satispay, in Italy.',
  sepa_debit: 'A direct debit in euros.',
  swish: 'Swish, in Sweden.',
  trustly: 'A transfer by Trustly.',
  twint: 'TWINT, in Switzerland.',
  upi: 'UPI, in India.',
  ussd: 'A code that the customer dials.',
  vipps: 'Vipps, in Norway.',
  wallet: 'A wallet, such as Apple Pay, Google Pay or PayPal.',
};
