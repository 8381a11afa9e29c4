import { createHash } from 'node:crypto';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { StripeDecline } from '#lib/simulators/stripe/declines.ts';
import {
  type Charge,
  isCharge,
  newStripeId,
  type StoredCharge,
  type StoredIntent,
  seconds,
} from '#lib/simulators/stripe/objects.ts';
import { methodOfType, type TestMethod } from '#lib/simulators/stripe/test-methods.ts';
import { DAY } from '#shared/kernel/clock.ts';

type ChargeInput = {
  readonly method: TestMethod;
  readonly amount: number;
  readonly status: Charge['status'];
  readonly captured: boolean;
  readonly decline?: StripeDecline;
};

/** How long a card's money is held. Source: docs.stripe.com (read 2026-11): 7 days for most online card charges. */
export const HOLD_MS = 7 * DAY;

const NO_ADDRESS = { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' };

const UNUSED_FIELDS = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  on_behalf_of: null,
  review: null,
  shipping: null,
  source: null,
};

/** Stores a charge. Stripe creates one for each attempt; `recordCharge` records the money when it moves. */
export function newCharge(
  work: UnitOfWork,
  intent: StoredIntent,
  { method, amount, status, captured, decline }: ChargeInput,
): StoredCharge {
  const { body } = intent;
  const id = newStripeId('ch');
  const charge: Charge = {
    ...UNUSED_FIELDS,
    id,
    object: 'charge',
    amount,
    amount_captured: captured ? amount : 0,
    amount_refunded: 0,
    balance_transaction: captured ? newStripeId('txn') : null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SIMULATED',
    captured,
    created: seconds(work.now),
    currency: body.currency,
    customer: body.customer ?? null,
    description: body.description ?? null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: body.livemode,
    metadata: body.metadata,
    outcome: status === 'pending' ? null : chargeOutcome(decline),
    paid: status === 'succeeded',
    payment_intent: body.id,
    payment_method: body.payment_method,
    payment_method_details: methodDetails(method, {
      ...(status === 'succeeded' && networkFacts(intent)),
      ...(status === 'succeeded' && !captured && holdOf(work, intent)),
    }),
    radar_options: {},
    receipt_email: body.receipt_email ?? null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
  const notes = { refunds: method.refunds };
  return work.objects.put({
    id,
    account: intent.account,
    kind: 'charge',
    paymentId: intent.paymentId,
    parent: body.id,
    due: null,
    body: charge,
    notes,
  });
}

export function chargeOutcome(decline: StripeDecline | undefined): Charge['outcome'] {
  const codes = {
    advice_code: decline?.advice_code ?? null,
    network_advice_code: decline?.network_advice_code ?? null,
    network_decline_code: decline?.network_decline_code ?? null,
  };
  const risk = { risk_level: 'normal', risk_score: 20 };
  if (!decline)
    return {
      ...codes,
      ...risk,
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  const reason = decline.decline_code ?? decline.code;
  return {
    ...codes,
    ...risk,
    network_status: 'declined_by_network',
    reason,
    seller_message: 'The bank declined the payment.',
    type: 'issuer_declined',
  };
}

/** What a card charge says while its money is only held. */
function holdOf(work: UnitOfWork, { body }: StoredIntent): CardFacts {
  const available = body.payment_method_options.card?.request_multicapture === 'if_available';
  return {
    capture_before: seconds(new Date(work.now.getTime() + HOLD_MS)),
    multicapture: { status: available ? 'available' : 'unavailable' },
  };
}

/** What a successful charge of a card says beside the card. */
type CardFacts = {
  readonly capture_before?: number;
  readonly multicapture?: { readonly status: string };
  readonly [fact: string]: unknown;
};

export const isMulticapture = ({ body }: StoredCharge): boolean =>
  body.payment_method_details.card?.multicapture?.status === 'available';

/** What the network tells of an approved charge. A customer who has authenticated leaves an indicator. */
function networkFacts({ body }: StoredIntent): CardFacts {
  const authenticated = {
    authentication_flow: 'challenge',
    electronic_commerce_indicator: '05',
    exemption_indicator: null,
    result: 'authenticated',
    result_reason: null,
    transaction_id: '0cbd7a3c-6f5e-4f0a-9d1c-9f1f6c7f2d11',
    version: '2.2.0',
  };
  return {
    // Visa's ids have 15 digits. One follows from the intent, so that a repeat tells the same.
    network_transaction_id: String(Number.parseInt(hashOf(body.id).slice(0, 12), 16)).padStart(15, '1'),
    ...(body.status === 'requires_action' && { three_d_secure: authenticated }),
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function methodDetails(
  { type, brand, last4, country, funding, checks }: TestMethod,
  facts: CardFacts,
): Charge['payment_method_details'] {
  if (type !== 'card') return { [type]: { last4 }, type };
  const card = {
    amount_authorized: null,
    authorization_code: null,
    brand,
    checks: checks ?? NO_ADDRESS,
    country,
    electronic_commerce_indicator: null,
    exp_month: 8,
    exp_year: 2099,
    funding,
    installments: null,
    last4,
    mandate: null,
    network: brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
    ...facts,
  };
  return { card, type };
}

export function latestCharge(work: UnitOfWork, { body }: StoredIntent): StoredCharge | undefined {
  const charge = body.latest_charge === null ? undefined : work.objects.get(body.latest_charge);
  return charge && isCharge(charge) ? charge : undefined;
}

export const changeCharge = (work: UnitOfWork, charge: StoredCharge, change: Partial<Charge>): StoredCharge =>
  work.objects.put({ ...charge, body: { ...charge.body, ...change } });

export const methodOfIntent = (intent: StoredIntent): TestMethod => intent.notes.method ?? methodOfType('card');

/** The payment method in errors. */
export function paymentMethodView(intent: StoredIntent): unknown {
  const method = methodOfIntent(intent);
  const { type } = method;
  return {
    id: intent.body.payment_method,
    object: 'payment_method',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    ...(type === 'card' && { card: cardView(method) }),
    created: intent.body.created,
    customer: intent.body.customer ?? null,
    customer_account: null,
    livemode: intent.body.livemode,
    metadata: {},
    type,
  };
}

const cardView = ({ brand, last4, country, funding, checks }: TestMethod): unknown => ({
  brand,
  checks: checks ?? NO_ADDRESS,
  country,
  display_brand: brand,
  exp_month: 8,
  exp_year: 2099,
  funding,
  generated_from: null,
  last4,
  networks: { available: [brand], preferred: null },
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
});
