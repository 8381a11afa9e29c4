import Stripe from 'stripe';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schemaFaults, specsThere } from '#test/contract/stripe-simulator.schemas.ts';
import { KEY, SECRET, startTestbed, type Testbed } from '#test/contract/stripe-simulator.support.ts';

/**
 * Stripe's own library (stripe-node) makes real calls to the simulator. It knows nothing of our adapter. Each object
 * that it parses is held against Stripe's document of the same API version, where that document is at hand.
 */
const SESSION_DOCUMENT = 'stripe.v2023-08-16.checkout-sessions.openapi.json';
const DOCUMENT = 'stripe.v2026-10-28.derived.openapi.json';
const faultsOf = specsThere ? schemaFaults(DOCUMENT) : () => [];
const sessionFaultsOf = specsThere ? schemaFaults(SESSION_DOCUMENT) : () => [];

const SCHEMAS: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  payment_intent: (value) => faultsOf('PaymentIntent', value),
  charge: (value) => faultsOf('Charge', value),
  refund: (value) => faultsOf('Refund', value),
  account: (value) => faultsOf('Account', value),
  payment_method: (value) => faultsOf('PaymentMethod', value),
  'checkout.session': (value) => sessionFaultsOf('checkout.session', value),
};

let s: Testbed;
let stripe: Stripe;
let calls = 0;
let checked = 0;
const mismatches: string[] = [];

/** Every object in a response that has a schema. */
function check(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const object = 'object' in value ? value.object : undefined;
  const faults = typeof object === 'string' ? SCHEMAS[object] : undefined;
  if (faults) {
    checked += 1;
    mismatches.push(...faults(value));
  }
  Object.values(value).forEach(check);
}

/** The library speaks to `/v1`; the simulator serves each provider below its name. */
async function throughSimulator(url: unknown, init?: RequestInit): Promise<Response> {
  calls += 1;
  const { pathname, search } = new URL(String(url));
  const response = await fetch(`${s.simulators().base}/stripe${pathname}${search}`, init);
  const copy = response.clone();
  if (copy.headers.get('content-type')?.startsWith('application/json')) check(await copy.json());
  return response;
}

const newClient = (key = KEY, options: Stripe.StripeConfig = {}) =>
  new Stripe(key, {
    httpClient: Stripe.createFetchHttpClient(throughSimulator as typeof fetch),
    host: '127.0.0.1',
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...options,
  });

beforeEach(async () => {
  s = await startTestbed();
  stripe = newClient();
});
afterEach(() => s.close());
afterAll(() => {
  console.log(`stripe-node: ${calls} calls, ${checked} objects checked, ${mismatches.length} mismatches`);
});

const errorOf = (call: Promise<unknown>): Promise<InstanceType<typeof Stripe.errors.StripeError>> =>
  call.then(
    () => expect.fail('The call should have failed.'),
    (error) => error,
  );

const aCharge = (change: Partial<Stripe.PaymentIntentCreateParams> = {}): Stripe.PaymentIntentCreateParams => ({
  amount: 2000,
  currency: 'eur',
  confirm: true,
  payment_method: 'pm_card_visa',
  return_url: 'https://shop.example/back',
  metadata: { payment_id: 'pay_1' },
  ...change,
});

const PAGE: Stripe.Checkout.SessionCreateParams = {
  mode: 'payment',
  success_url: 'https://shop.example/done',
  cancel_url: 'https://shop.example/cart',
  line_items: [{ quantity: 2, price_data: { currency: 'eur', unit_amount: 1000, product_data: { name: 'Socks' } } }],
  payment_intent_data: { metadata: { payment_id: 'pay_1' } },
};

describe("a payment intent in Stripe's library", () => {
  it('is created, retrieved with its charge, updated and found', async () => {
    const intent = await stripe.paymentIntents.create(aCharge());
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2000, metadata: { payment_id: 'pay_1' } });
    expect(intent.lastResponse).toMatchObject({ statusCode: 200, apiVersion: '2026-10-28.endive' });
    const shown = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
    expect(shown.latest_charge).toMatchObject({ paid: true, payment_intent: intent.id });
    const updated = await stripe.paymentIntents.update(intent.id, { metadata: { order: '7' }, description: 'Socks' });
    expect(updated).toMatchObject({ description: 'Socks', metadata: { payment_id: 'pay_1', order: '7' } });
    s.advance(60_000);
    const found = await stripe.paymentIntents.search({ query: "metadata['payment_id']:'pay_1'" });
    expect(found.data.map(({ id }) => id)).toEqual([intent.id]);
  });

  it('is listed newest first, over all pages', async () => {
    const made: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      s.advance(1000);
      made.unshift((await stripe.paymentIntents.create(aCharge({ metadata: { payment_id: `pay_${n}` } }))).id);
    }
    const pages = stripe.paymentIntents.list({ limit: 2 });
    expect((await pages).has_more).toBe(true);
    expect((await pages.autoPagingToArray({ limit: 10 })).map(({ id }) => id)).toEqual(made);
    const older = await stripe.paymentIntents.list({ starting_after: made[3] ?? '' });
    expect([older.data.map(({ id }) => id), older.has_more]).toEqual([made.slice(4), false]);
    const newer = await stripe.paymentIntents.list({ ending_before: made[3] ?? '', limit: 2 });
    expect([newer.data.map(({ id }) => id), newer.has_more]).toEqual([made.slice(1, 3), true]);
    const start = Math.floor(s.now().getTime() / 1000);
    expect((await stripe.paymentIntents.list({ created: { gte: start } })).data).toHaveLength(1);
    expect((await stripe.paymentIntents.list({ customer: 'cus_1' })).data).toEqual([]);
  });

  it('is held, captured in part, or canceled', async () => {
    const held = await stripe.paymentIntents.create(aCharge({ capture_method: 'manual' }));
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 2000 });
    const captured = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 1500 });
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 1500 });
    const other = await stripe.paymentIntents.create(aCharge({ capture_method: 'manual' }));
    const canceled = await stripe.paymentIntents.cancel(other.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    const late = await errorOf(stripe.paymentIntents.cancel(held.id));
    expect(late).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(late.payment_intent).toMatchObject({ id: held.id, status: 'succeeded' });
  });

  it('is confirmed later, and waits for the customer', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 2000, currency: 'eur' });
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_mastercard',
      return_url: 'https://shop.example/back',
    });
    expect(paid.status).toBe('succeeded');
    const waiting = await stripe.paymentIntents.create(aCharge({ payment_method: 'pm_card_threeDSecure2Required' }));
    expect(waiting).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    const pending = await stripe.paymentIntents.create(aCharge({ payment_method: 'pending' }));
    expect(pending.status).toBe('processing');
  });

  it('counts Ugandan shillings in hundredths, and cards in twelve digits', async () => {
    const ugx = (amount: number) => aCharge({ amount, currency: 'ugx' });
    expect((await stripe.paymentIntents.create(ugx(500_000))).amount_received).toBe(500_000);
    expect(s.money('pay_1')).toMatchObject({ amount: 5_000, currency: 'UGX' });
    expect(await errorOf(stripe.paymentIntents.create(ugx(500_050)))).toMatchObject({
      code: 'parameter_invalid_integer',
    });
    const large = (change: object) => stripe.paymentIntents.create(aCharge({ amount: 100_000_000, ...change }));
    expect((await large({})).amount).toBe(100_000_000);
    const sepa = {
      payment_method: undefined,
      payment_method_data: { type: 'sepa_debit' },
      allowed_payment_method_types: ['sepa_debit'],
    };
    expect(await errorOf(large(sepa))).toMatchObject({ code: 'amount_too_large', param: 'amount' });
  });
});

describe("an error in Stripe's library", () => {
  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', {}],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', { advice_code: 'do_not_try_again' }],
    ['decline_security_violation', 'card_declined', 'security_violation', {}],
    ['decline_incorrect_zip', 'incorrect_zip', 'incorrect_zip', {}],
    ['decline_do_not_honor:do_not_try_again', 'card_declined', 'do_not_honor', { advice_code: 'do_not_try_again' }],
    ['decline_do_not_honor:03', 'card_declined', 'do_not_honor', { network_advice_code: '03' }],
    ['decline_partner_high_risk_customer', 'payment_method_provider_decline', 'partner_high_risk_customer', {}],
  ])('is a card error for %s', async (payment_method, code, decline_code, advice) => {
    const error = await errorOf(stripe.paymentIntents.create(aCharge({ payment_method })));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code, decline_code, ...advice });
    expect(error.payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code, decline_code, ...advice },
    });
    const { id } = error.payment_intent ?? { id: '' };
    const { data } = await stripe.charges.list({ payment_intent: id });
    expect(data).toMatchObject([{ status: 'failed', failure_code: code, outcome: { reason: decline_code } }]);
  });

  it('is about the request, the key or the account', async () => {
    expect(await errorOf(stripe.paymentIntents.create({ amount: 2000, currency: 'xyz' }))).toMatchObject({
      type: 'StripeInvalidRequestError',
      param: 'currency',
    });
    expect(await errorOf(stripe.paymentIntents.retrieve('pi_1'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    expect(await errorOf(stripe.refunds.list({ payment_intent: 'pi_1' }))).toMatchObject({ code: 'resource_missing' });
    expect(await errorOf(stripe.paymentIntents.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    const revoked = await errorOf(newClient('sk_test_revoked').paymentIntents.create(aCharge()));
    expect(revoked).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  it('is a used key, a limit or a fault of Stripe', async () => {
    const idempotencyKey = 'order_7';
    const first = await stripe.paymentIntents.create(aCharge(), { idempotencyKey });
    const again = await stripe.paymentIntents.create(aCharge(), { idempotencyKey });
    expect([again.id, again.lastResponse.idempotencyKey]).toEqual([first.id, idempotencyKey]);
    expect(await errorOf(stripe.paymentIntents.create(aCharge({ amount: 2001 }), { idempotencyKey }))).toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    );
    s.simulators().setScenario({ provider: 'stripe', behaviour: 'rate_limited' });
    expect(await errorOf(stripe.paymentIntents.create(aCharge()))).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    s.simulators().setScenario({ provider: 'stripe', behaviour: 'http_500' });
    expect(await errorOf(stripe.paymentIntents.create(aCharge()))).toBeInstanceOf(Stripe.errors.StripeAPIError);
  });

  it('is overcome by its own retries', async () => {
    s.simulators().setScenario({ provider: 'stripe', behaviour: 'rate_limited' });
    const patient = newClient(KEY, { maxNetworkRetries: 1 });
    expect((await patient.paymentIntents.create(aCharge())).status).toBe('succeeded');
    expect(s.money('pay_1')?.count).toBe(1);
  });
});

describe("a refund in Stripe's library", () => {
  it('is created, retrieved, updated and listed', async () => {
    const { id: payment_intent, latest_charge } = await stripe.paymentIntents.create(aCharge());
    const refund = await stripe.refunds.create({ payment_intent, amount: 500, metadata: { refund_id: 're_1' } });
    expect(refund).toMatchObject({ status: 'succeeded', amount: 500, payment_intent });
    expect(await stripe.refunds.retrieve(refund.id, { expand: ['charge'] })).toMatchObject({
      charge: { id: latest_charge, amount_refunded: 500 },
    });
    expect((await stripe.refunds.update(refund.id, { metadata: { order: '7' } })).metadata).toEqual({
      refund_id: 're_1',
      order: '7',
    });
    const other = await stripe.refunds.create({ charge: String(latest_charge) });
    expect(other.amount).toBe(1500);
    for (const filter of [{ payment_intent }, { charge: String(latest_charge) }, {}])
      expect((await stripe.refunds.list(filter)).data.map(({ id }) => id)).toEqual([other.id, refund.id]);
    expect(await errorOf(stripe.refunds.create({ payment_intent }))).toMatchObject({ code: 'charge_already_refunded' });
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, refunded: 2000 });
  });
});

describe("a checkout session in Stripe's library", () => {
  it('is created, paid, retrieved with its intent and listed', async () => {
    const session = await stripe.checkout.sessions.create(PAGE);
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 2000 });
    await s.browse(String(session.url), 'pay');
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', payment_intent: { status: 'succeeded' } });
    const other = await stripe.checkout.sessions.create(PAGE);
    expect((await stripe.checkout.sessions.expire(other.id)).status).toBe('expired');
    expect((await stripe.checkout.sessions.list()).data.map(({ id }) => id)).toEqual([other.id, session.id]);
    expect((await stripe.checkout.sessions.list({ status: 'complete' })).data.map(({ id }) => id)).toEqual([
      session.id,
    ]);
    expect(await errorOf(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 });
  });
});

it("names the account in Stripe's library", async () => {
  expect((await stripe.accounts.retrieveCurrent()).business_profile?.name).toBe('Sock Shop Ltd');
});

it("sends callbacks that Stripe's library verifies, and no other secret does", async () => {
  const { id: payment_intent } = await stripe.paymentIntents.create(aCharge());
  await errorOf(stripe.paymentIntents.create(aCharge({ payment_method: 'pm_card_chargeDeclined' })));
  await stripe.refunds.create({ payment_intent });
  const webhooks = await s.webhooks();
  const types = webhooks.map(({ raw, signature }) => {
    const event = stripe.webhooks.constructEvent(raw, signature, SECRET, 300, undefined, s.now().getTime());
    check(event.data.object);
    return event.type;
  });
  for (const type of ['payment_intent.succeeded', 'payment_intent.payment_failed', 'refund.created', 'charge.refunded'])
    expect(types).toContain(type);
  const [{ raw, signature } = { raw: '', signature: '' }] = webhooks;
  expect(() =>
    stripe.webhooks.constructEvent(raw, signature, 'whsec_other', 300, undefined, s.now().getTime()),
  ).toThrow(Stripe.errors.StripeSignatureVerificationError);
});

it.skipIf(!specsThere)('parsed only complete objects (skipped without the PSP specifications)', () => {
  expect(mismatches).toEqual([]);
  expect(checked).toBeGreaterThan(50);
});
