import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inCi, schemaFaults, specsThere } from '#test/contract/stripe-simulator.schemas.ts';
import { charge, KEY, page, SECRET, startTestbed, type Testbed } from '#test/contract/stripe-simulator.support.ts';

const INTENTS = '/v1/payment_intents';
const SESSIONS = '/v1/checkout/sessions';
const REFUNDS = '/v1/refunds';

let s: Testbed;
beforeEach(async () => {
  s = await startTestbed();
});
afterEach(() => s.close());

const script = (behaviour: string, more: object = {}) =>
  s.simulators().setScenario({ provider: 'stripe', behaviour, ...more });
const complete = (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  s.simulators().complete('stripe', reference, outcome);

describe('credentials', () => {
  it.each([
    ['no key', ''],
    ['a publishable key', 'pk_test_shop'],
    ['an invalid key', 'sk_test_invalid'],
    ['a revoked key', 'rk_live_revoked_1'],
  ])('%s gets 401', async (_, secret) => {
    const { status, body, headers } = await s.post(INTENTS, charge('p'), { secret, key: 'k' });
    expect([status, body.error.type, headers.get('stripe-should-retry')]).toEqual([
      401,
      'invalid_request_error',
      'false',
    ]);
    expect(s.simulators().calls({}).calls).toMatchObject([{ operation: 'create', status: 401 }]);
  });

  it('hide the objects of other accounts', async () => {
    const { body } = await s.post(INTENTS, charge('p'));
    const { status, body: refusal } = await s.get(`${INTENTS}/${body.id}`, { secret: 'rk_test_other' });
    expect([status, refusal.error.code, refusal.error.param]).toEqual([404, 'resource_missing', 'intent']);
    expect((await s.post(REFUNDS, { payment_intent: body.id }, { secret: 'rk_test_other' })).status).toBe(404);
  });

  it('show the account name of the dashboard, or a default if it is unregistered', async () => {
    expect((await s.get('/v1/account')).body.business_profile.name).toBe('Sock Shop Ltd');
    expect((await s.get('/v1/account', { secret: 'sk_test_unknown' })).body.business_profile.name).toBe(
      'Demo Shop Ltd',
    );
    expect(s.sealed).toEqual([JSON.stringify([SECRET])]);
  });
});

describe('a payment intent', () => {
  it('is charged at once, and contains its charge when it is expanded', async () => {
    const { status, body, headers } = await s.post(INTENTS, charge('pay_1'));
    expect([status, body.status, body.amount_received, body.metadata]).toEqual([
      200,
      'succeeded',
      2000,
      { payment_id: 'pay_1' },
    ]);
    expect(headers.get('request-id')).toMatch(/^req_\w{14}$/);
    expect(headers.get('stripe-version')).toBe('2026-10-28.endive');
    const shown = await s.get(`${INTENTS}/${body.id}?expand[]=latest_charge`);
    expect(shown.body.latest_charge).toMatchObject({
      amount_captured: 2000,
      paid: true,
      payment_intent: body.id,
      metadata: { payment_id: 'pay_1' },
    });
    expect(s.money('pay_1')).toEqual({ amount: 2000, refunded: 0, currency: 'EUR', count: 1 });
  });

  it('waits for a confirmation, and can be confirmed only once', async () => {
    const { body } = await s.post(INTENTS, { amount: '2000', currency: 'eur', 'metadata[payment_id]': 'pay_1' });
    expect(body.status).toBe('requires_payment_method');
    expect(
      (await s.post(`${INTENTS}/${body.id}/confirm`, { return_url: 'https://shop.example' })).body.error.code,
    ).toBe('payment_intent_unexpected_state');
    const paying = { payment_method: 'pm_card_visa', return_url: 'https://shop.example' };
    expect((await s.post(`${INTENTS}/${body.id}/confirm`, paying)).body.status).toBe('succeeded');
    const again = await s.post(`${INTENTS}/${body.id}/confirm`, paying);
    expect([again.status, again.body.error.code, again.body.error.payment_intent.status]).toEqual([
      400,
      'payment_intent_unexpected_state',
      'succeeded',
    ]);
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it('is only authorized with manual capture, then partially captured or released', async () => {
    const held = await s.post(INTENTS, charge('pay_1', { capture_method: 'manual' }));
    expect([held.body.status, held.body.amount_capturable, s.money('pay_1')]).toEqual([
      'requires_capture',
      2000,
      undefined,
    ]);
    expect((await s.post(`${INTENTS}/${held.body.id}/capture`, { amount_to_capture: '2001' })).status).toBe(400);
    expect(
      (await s.post(`${INTENTS}/${held.body.id}/capture`, { amount_to_capture: '1500' })).body.amount_received,
    ).toBe(1500);
    expect(s.money('pay_1')?.amount).toBe(1500);
    const other = await s.post(INTENTS, charge('pay_2', { capture_method: 'manual' }));
    expect((await s.post(`${INTENTS}/${other.body.id}/cancel`, { cancellation_reason: 'abandoned' })).body.status).toBe(
      'canceled',
    );
    expect((await s.post(`${INTENTS}/${other.body.id}/capture`)).body.error.code).toBe(
      'payment_intent_unexpected_state',
    );
    expect((await s.webhooks()).map(({ event }) => event.type)).toContain('payment_intent.amount_capturable_updated');
  });

  it('can be found by its metadata, but only after a minute', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1'));
    const search = () => s.get(`${INTENTS}/search?query=${encodeURIComponent("metadata['payment_id']:'pay_1'")}`);
    expect((await search()).body.data).toEqual([]);
    s.advance(60_000);
    expect((await search()).body).toMatchObject({ object: 'search_result', data: [{ id: body.id }] });
    expect(
      s
        .simulators()
        .calls({ payment_id: 'pay_1' })
        .calls.map(({ operation }) => operation),
    ).toEqual(['create', 'find', 'find']);
  });
});

describe('a declined attempt', () => {
  it.each([
    ['decline_insufficient_funds', 'card_declined', 'insufficient_funds', 'try_again_later'],
    ['decline_card_declined', 'card_declined', 'generic_decline', undefined],
    ['decline_lost_card', 'card_declined', 'lost_card', 'do_not_try_again'],
    ['decline_expired_card', 'expired_card', 'expired_card', undefined],
    ['decline_authorization_revoked', 'card_declined', 'revocation_of_authorization', 'do_not_try_again'],
    ['decline_authentication_failed', 'payment_intent_authentication_failure', undefined, undefined],
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', undefined],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', 'do_not_try_again'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc', 'confirm_card_data'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error', undefined],
    ['pm_card_visa_chargeDeclinedFraudulent', 'card_declined', 'fraudulent', 'do_not_try_again'],
  ])('%s: 402 %s / %s', async (payment_method, code, decline_code, advice_code) => {
    const { status, body } = await s.post(INTENTS, charge('pay_1', { payment_method }));
    expect([status, body.error.type, body.error.code, body.error.decline_code, body.error.advice_code]).toEqual([
      402,
      'card_error',
      code,
      decline_code,
      advice_code,
    ]);
    expect(body.error.payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code },
      metadata: { payment_id: 'pay_1' },
    });
    expect((await s.webhooks()).map(({ event }) => event.type)).toContain('payment_intent.payment_failed');
    expect(s.money('pay_1')).toBeUndefined();
  });

  it('leaves the intent usable with another method', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1', { payment_method: 'pm_card_chargeDeclined' }));
    const { id } = body.error.payment_intent;
    expect((await s.post(`${INTENTS}/${id}/confirm`, { payment_method: 'pm_card_mastercard' })).body.status).toBe(
      'succeeded',
    );
  });

  it('requires authentication that is not possible off-session', async () => {
    const { status, body } = await s.post(
      INTENTS,
      charge('pay_1', { payment_method: 'needs_3ds', off_session: 'true' }),
    );
    expect([status, body.error.code]).toEqual([402, 'authentication_required']);
    const strict = await s.post(
      INTENTS,
      charge('pay_2', { payment_method: 'needs_3ds', error_on_requires_action: 'true' }),
    );
    expect(strict.body.error.decline_code).toBe('authentication_not_handled');
  });
});

describe('an off-session charge', () => {
  const offSession = { off_session: 'true', customer: 'cus_1' };

  it.each([
    ['ok', 200, 'succeeded', 1],
    ['pending', 200, 'processing', undefined],
    ['pm_card_authenticationRequiredSetupForOffSession', 200, 'succeeded', 1],
    ['pm_card_authenticationRequiredOnSetup', 402, 'authentication_required', undefined],
    ['needs_3ds', 402, 'authentication_required', undefined],
    ['decline_authentication_required', 402, 'authentication_required', undefined],
    ['decline_expired_card', 402, 'expired_card', undefined],
    ['pm_1Unknown', 400, 'resource_missing', undefined],
  ])('with %s: %i %s', async (payment_method, status, word, count) => {
    const { status: http, body } = await s.post(INTENTS, charge('pay_1', { ...offSession, payment_method }));
    expect([http, body.error?.code ?? body.status, s.money('pay_1')?.count]).toEqual([status, word, count]);
  });

  it('that requires authentication is declined with that reason, also when it is repeated, and asks for it on-session', async () => {
    const form = charge('pay_1', { ...offSession, payment_method: 'needs_3ds' });
    const first = await s.post(INTENTS, form, { key: 'k' });
    expect(first.body.error).toMatchObject({
      type: 'card_error',
      decline_code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method', next_action: null, customer: 'cus_1' },
    });
    expect((await s.post(INTENTS, form, { key: 'k' })).text).toBe(first.text);
    const { off_session: _, ...present } = form;
    const { body } = await s.post(INTENTS, present, { key: 'l' });
    expect([body.status, body.next_action.type, s.money('pay_1')]).toEqual([
      'requires_action',
      'redirect_to_url',
      undefined,
    ]);
  });

  it('is declined if a scenario requires an action, because no customer is there', async () => {
    s.simulators().setScenario({ provider: 'stripe', behaviour: 'requires_action' });
    expect((await s.post(INTENTS, charge('pay_1', offSession))).body.error.code).toBe('authentication_required');
  });

  it('with a card saved with authentication asks for it again on-session', async () => {
    const payment_method = 'pm_card_authenticationRequiredSetupForOffSession';
    expect((await s.post(INTENTS, charge('pay_1', { payment_method }))).body.status).toBe('requires_action');
  });

  it('must be confirmed in the same call', async () => {
    const { confirm: _, return_url: __, ...form } = charge('pay_1', offSession);
    expect((await s.post(INTENTS, form)).body.error).toMatchObject({ type: 'invalid_request_error', param: 'confirm' });
  });
});

describe('a kept payment method', () => {
  it('is charged only together with its customer', async () => {
    const { body: customer } = await s.post('/v1/customers', { email: 'kim@example.com' });
    const kept = { customer: customer.id, setup_future_usage: 'off_session' };
    const { body: first } = await s.post(INTENTS, charge('pay_1', { ...kept, payment_method: 'pm_card_mastercard' }));
    const { payment_method } = first;
    const alone = await s.post(INTENTS, charge('pay_2', { payment_method }));
    expect([alone.status, alone.body.error.param]).toEqual([400, 'payment_method']);
    const later = { payment_method, customer: customer.id, off_session: 'true', 'expand[]': 'latest_charge' };
    const { body: second } = await s.post(INTENTS, charge('pay_3', later));
    expect(second).toMatchObject({
      status: 'succeeded',
      payment_method,
      latest_charge: { payment_method_details: { card: { brand: 'mastercard', last4: '4444' } } },
    });
  });
});

describe('a rejected request', () => {
  it.each([
    ['a missing amount', { amount: undefined }, 'parameter_missing', 'amount'],
    ['an unknown parameter', { colour: 'red' }, 'parameter_unknown', 'colour'],
    [
      'payment_method_types, which was removed',
      { 'payment_method_types[]': 'card' },
      'parameter_unknown',
      'payment_method_types',
    ],
    ['a broken amount', { amount: '10.5' }, 'parameter_invalid_integer', 'amount'],
    ['a parcel for nobody', { 'shipping[address][line1]': 'Main 1' }, 'parameter_missing', 'shipping[name]'],
    ['a parcel to nowhere', { 'shipping[name]': 'Kim' }, 'parameter_missing', 'shipping[address][line1]'],
    [
      'an unknown option of cards',
      { 'payment_method_options[card][mit_exemption][network_transaction_id]': '1' },
      'parameter_unknown',
      'payment_method_options[card][mit_exemption]',
    ],
    [
      'a line without its price',
      { 'amount_details[line_items][0][product_name]': 'Mug', 'amount_details[line_items][0][quantity]': '1' },
      'parameter_missing',
      'amount_details[line_items][0][unit_cost]',
    ],
    [
      'lines that do not add up',
      {
        'amount_details[line_items][0][product_name]': 'Mug',
        'amount_details[line_items][0][quantity]': '1',
        'amount_details[line_items][0][unit_cost]': '1',
      },
      undefined,
      'amount_details[line_items]',
    ],
    ['the whole statement of a card', { statement_descriptor: 'SHOP' }, undefined, 'statement_descriptor'],
    ['a suffix of digits', { statement_descriptor_suffix: '123' }, undefined, 'statement_descriptor_suffix'],
    ['a suffix with a star', { statement_descriptor_suffix: 'A*B' }, undefined, 'statement_descriptor_suffix'],
    ['an amount of nothing', { amount: '0' }, 'parameter_invalid_integer', 'amount'],
    ['an amount that is too small', { amount: '49' }, 'amount_too_small', 'amount'],
    ['an amount that is too large', { amount: '1000000000000' }, 'amount_too_large', 'amount'],
    ['a third decimal', { amount: '10001', currency: 'kwd' }, 'parameter_invalid_integer', 'amount'],
    ['an unknown currency', { currency: 'xyz' }, undefined, 'currency'],
    ['an empty text', { currency: '' }, 'parameter_invalid_empty', 'currency'],
    ['a wrong choice', { capture_method: 'never' }, undefined, 'capture_method'],
    ['a broken flag', { confirm: 'yes' }, undefined, 'confirm'],
    ['an unknown payment method', { payment_method: 'pm_1Unknown' }, 'resource_missing', 'payment_method'],
    ['a long metadata value', { 'metadata[note]': 'x'.repeat(501) }, undefined, 'metadata'],
    [
      'a raw card number',
      {
        payment_method: undefined,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
      },
      undefined,
      'payment_method_data[card][number]',
    ],
  ])('%s', async (_, change, code, param) => {
    const form = Object.fromEntries(
      Object.entries({ ...charge('pay_1'), ...change }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const { status, body } = await s.post(INTENTS, form, { key: 'k' });
    expect([status, body.error.type, body.error.code, body.error.param]).toEqual([
      400,
      'invalid_request_error',
      code,
      param,
    ]);
    expect((await s.post(INTENTS, charge('pay_1'), { key: 'k' })).status).toBe(200);
  });

  it('may have payment_method_types with an older API version', async () => {
    const old = { version: '2025-08-27.basil' };
    expect(
      (await s.post(INTENTS, charge('p', { 'payment_method_types[]': 'card' }), old)).body.payment_method_types,
    ).toEqual(['card']);
    expect((await s.get(`${INTENTS}/pi_1`, { version: 'new' })).status).toBe(400);
  });

  it('lacks a return URL although a method may redirect', async () => {
    const { return_url: _, ...form } = charge('p');
    expect((await s.post(INTENTS, form)).status).toBe(400);
    expect((await s.post(INTENTS, { ...form, 'allowed_payment_method_types[]': 'card' })).status).toBe(200);
    expect((await s.post(INTENTS, { ...form, off_session: 'true' })).status).toBe(200);
  });

  it('has an unknown path or expands an unknown field', async () => {
    expect((await s.get('/v1/invoices')).status).toBe(404);
    const { body } = await s.post(INTENTS, charge('p'));
    expect((await s.get(`${INTENTS}/${body.id}?expand[]=customer`)).status).toBe(400);
  });
});

describe('an idempotency key', () => {
  it('replays the first response and charges once', async () => {
    const first = await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    const again = await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect([again.text, again.headers.get('original-request')]).toEqual([first.text, first.headers.get('request-id')]);
    expect(s.money('pay_1')?.count).toBe(1);
    expect(s.simulators().calls({ payment_id: 'pay_1' }).calls).toHaveLength(2);
  });

  it('replays a decline too', async () => {
    const first = await s.post(INTENTS, charge('pay_1', { payment_method: 'pm_card_chargeDeclined' }), { key: 'k' });
    const again = await s.post(INTENTS, charge('pay_1', { payment_method: 'pm_card_chargeDeclined' }), { key: 'k' });
    expect([again.status, again.text]).toEqual([402, first.text]);
  });

  it('is rejected with other parameters, and is separate for each account', async () => {
    await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    const { status, body } = await s.post(INTENTS, charge('pay_1', { amount: '2001' }), { key: 'k' });
    expect([status, body.error.type]).toEqual([400, 'idempotency_error']);
    expect((await s.post(INTENTS, charge('pay_1', { amount: '2001' }), { key: 'k', secret: 'sk_test_b' })).status).toBe(
      200,
    );
    expect((await s.post(INTENTS, charge('pay_1'), { key: 'x'.repeat(256) })).status).toBe(400);
  });

  it('is in use while the first call still runs', async () => {
    script('slow:300');
    const [first, second] = await Promise.all([
      s.post(INTENTS, charge('pay_1'), { key: 'k' }),
      pause(100).then(() => s.post(INTENTS, charge('pay_1'), { key: 'k' })),
    ]);
    expect([first.status, second.status, second.body.error.code]).toEqual([200, 409, 'idempotency_key_in_use']);
  });

  it('expires after a day', async () => {
    await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    s.advance(24 * 3_600_000 - 1);
    await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect(s.money('pay_1')?.count).toBe(1);
    s.advance(1);
    await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect(s.money('pay_1')?.count).toBe(2);
  });
});

describe('3-D Secure', () => {
  it('redirects to a page, and back with the result', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1', { payment_method: 'pm_card_authenticationRequired' }));
    expect([body.status, body.next_action.type]).toEqual(['requires_action', 'redirect_to_url']);
    const { url } = body.next_action.redirect_to_url;
    expect((await s.browse(url)).text).toContain('authenticate');
    const { status, location } = await s.browse(url, 'authenticate');
    expect(status).toBe(303);
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      order: '7',
      payment_intent: body.id,
      payment_intent_client_secret: body.client_secret,
      redirect_status: 'succeeded',
    });
    expect(s.money('pay_1')?.amount).toBe(2000);
  });

  it('can be failed', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1', { payment_method: 'needs_3ds' }));
    const { location } = await s.browse(body.next_action.redirect_to_url.url, 'fail');
    expect(new URL(location).searchParams.get('redirect_status')).toBe('failed');
    const { body: after } = await s.get(`${INTENTS}/${body.id}`);
    expect([after.status, after.last_payment_error.code]).toEqual([
      'requires_payment_method',
      'payment_intent_authentication_failure',
    ]);
  });

  it('can be completed by any reference', async () => {
    const { body } = await s.post(
      INTENTS,
      charge('pay_1', { payment_method: 'pm_card_threeDSecureRequiredChargeDeclined' }),
    );
    expect(complete('pay_1')).toBe(true);
    expect((await s.get(`${INTENTS}/${body.id}`)).body.last_payment_error.decline_code).toBe('generic_decline');
    expect(complete('pay_unknown')).toBe(false);
  });
});

describe('a completion', () => {
  it('settles a pending payment either way', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1', { payment_method: 'pending' }));
    expect(body.status).toBe('processing');
    complete(body.id);
    expect((await s.get(`${INTENTS}/${body.id}`)).body.status).toBe('succeeded');
    await s.post(INTENTS, charge('pay_2', { payment_method: 'pending' }));
    complete('pay_2', 'failed');
    expect((await s.webhooks()).map(({ event }) => `${event.data.object.metadata.payment_id} ${event.type}`)).toEqual(
      expect.arrayContaining([
        'pay_1 payment_intent.processing',
        'pay_1 payment_intent.succeeded',
        'pay_2 payment_intent.payment_failed',
      ]),
    );
    expect([s.money('pay_1')?.count, s.money('pay_2')]).toEqual([1, undefined]);
  });

  it('moves money even after the payment was canceled', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1', { payment_method: 'needs_3ds' }));
    expect((await s.post(`${INTENTS}/${body.id}/cancel`)).body.status).toBe('canceled');
    complete('pay_1');
    expect((await s.get(`${INTENTS}/${body.id}`)).body).toMatchObject({ status: 'succeeded', amount_received: 2000 });
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it('leaves an authorization alone that was canceled', async () => {
    const { body } = await s.post(INTENTS, charge('pay_1', { capture_method: 'manual' }));
    await s.post(`${INTENTS}/${body.id}/cancel`);
    expect(complete('pay_1')).toBe(true);
    expect((await s.get(`${INTENTS}/${body.id}`)).body.status).toBe('canceled');
    expect(s.money('pay_1')).toBeUndefined();
  });
});

describe('a hosted page', () => {
  it('creates its payment intent when the customer pays', async () => {
    const { body } = await s.post(SESSIONS, page('pay_1'));
    expect(body).toMatchObject({ status: 'open', payment_status: 'unpaid', payment_intent: null, amount_total: 2000 });
    expect(body.expires_at).toBe(s.now().getTime() / 1000 + 24 * 3600);
    expect((await s.browse(body.url)).text).toContain('20.00 EUR');
    expect((await s.browse(body.url, 'pay')).location).toBe(`https://shop.example/done?s=${body.id}`);
    const { body: after } = await s.get(`${SESSIONS}/${body.id}?expand[]=payment_intent`);
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      payment_intent: { status: 'succeeded', metadata: { payment_id: 'pay_1' } },
    });
    expect((await s.webhooks()).map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['checkout.session.completed', 'payment_intent.succeeded']),
    );
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, count: 1 });
  });

  it('stays open after a declined attempt, and redirects when the customer cancels', async () => {
    const { body } = await s.post(SESSIONS, page('pay_1'));
    const { location } = await s.browse(body.url, 'decline');
    expect((await s.browse(location)).text).toContain('Your card was declined.');
    expect((await s.browse(body.url, 'cancel')).location).toBe('https://shop.example/cart');
    const { body: open } = await s.get(`${SESSIONS}/${body.id}?expand[]=payment_intent`);
    expect([open.status, open.payment_intent.status]).toEqual(['open', 'requires_payment_method']);
    await s.browse(body.url, 'pay');
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it('applies the scenario of its creation to the first attempt', async () => {
    script('decline:insufficient_funds');
    const { body } = await s.post(SESSIONS, page('pay_1'));
    complete('pay_1');
    const { body: open } = await s.get(`${SESSIONS}/${body.id}?expand[]=payment_intent`);
    expect([open.status, open.payment_intent.last_payment_error.decline_code]).toEqual(['open', 'insufficient_funds']);
    complete('pay_1');
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it('completes before a pending payment settles', async () => {
    script('pending');
    const { body } = await s.post(SESSIONS, page('pay_1'));
    complete(body.id);
    expect((await s.get(`${SESSIONS}/${body.id}`)).body).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
    });
    complete(body.id);
    expect((await s.webhooks()).map(({ event }) => event.type)).toContain('checkout.session.async_payment_succeeded');
    expect((await s.get(`${SESSIONS}/${body.id}`)).body.payment_status).toBe('paid');
  });

  it('ends when it is expired, when the customer has paid, and by time', async () => {
    const ids = [];
    for (const payment of ['pay_1', 'pay_2', 'pay_3']) ids.push((await s.post(SESSIONS, page(payment))).body.id);
    expect((await s.post(`${SESSIONS}/${ids[0]}/expire`)).body).toMatchObject({ status: 'expired', url: null });
    expect((await s.post(`${SESSIONS}/${ids[0]}/expire`)).status).toBe(400);
    complete('pay_2', 'failed');
    s.advance(24 * 3_600_000);
    const webhooks = await s.webhooks();
    expect(webhooks.map(({ event }) => [event.type, event.data.object.id])).toEqual(
      ids.map((id) => ['checkout.session.expired', id]),
    );
    complete('pay_1');
    expect((await s.get(`${SESSIONS}/${ids[0]}`)).body).toMatchObject({ status: 'complete', payment_status: 'paid' });
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it('redirects to 3-D Secure', async () => {
    script('requires_action');
    const { body } = await s.post(SESSIONS, page('pay_1'));
    const { location } = await s.browse(body.url, 'pay');
    expect((await s.browse(location, 'authenticate')).location).toBe(`https://shop.example/done?s=${body.id}`);
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it.each([
    ['an end too soon', { expires_at: '1803895260' }, 'expires_at'],
    ['an unknown price', { 'line_items[0][price]': 'price_1' }, 'line_items[0][price]'],
    ['a line without a quantity', { 'line_items[0][quantity]': undefined }, 'line_items[0][quantity]'],
    ['no way back', { success_url: undefined }, 'success_url'],
    ['payment_method_types, which was removed', { 'payment_method_types[]': 'card' }, 'payment_method_types'],
    ['an unknown nested parameter', { 'payment_intent_data[colour]': 'red' }, 'payment_intent_data[colour]'],
  ])('has %s', async (_, change, param) => {
    const form = Object.fromEntries(
      Object.entries({ ...page('pay_1'), ...change }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const { status, body } = await s.post(SESSIONS, form);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});

describe('a refund', () => {
  const paid = async (payment_method = 'ok') =>
    (await s.post(INTENTS, charge('pay_1', { payment_method }))).body.id as string;

  it('can be partial, up to the remaining amount', async () => {
    const id = await paid();
    const { body } = await s.post(REFUNDS, {
      payment_intent: id,
      amount: '500',
      reason: 'requested_by_customer',
      'metadata[payment_id]': 'pay_1',
    });
    expect(body).toMatchObject({ status: 'succeeded', amount: 500, payment_intent: id });
    const over = await s.post(REFUNDS, { payment_intent: id, amount: '1501' });
    expect([over.status, over.body.error.param]).toEqual([400, 'amount']);
    expect((await s.post(REFUNDS, { payment_intent: id })).body.amount).toBe(1500);
    expect((await s.post(REFUNDS, { payment_intent: id })).body.error.code).toBe('charge_already_refunded');
    expect((await s.get(`${REFUNDS}?payment_intent=${id}`)).body.data).toHaveLength(2);
    expect((await s.get(`${REFUNDS}/${body.id}`)).body.amount).toBe(500);
    expect((await s.get(`${INTENTS}/${id}?expand[]=latest_charge`)).body.latest_charge).toMatchObject({
      refunded: true,
      amount_refunded: 2000,
    });
    expect(s.money('pay_1')).toMatchObject({ amount: 2000, refunded: 2000, count: 1 });
    expect((await s.webhooks()).map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['refund.created', 'charge.refunded']),
    );
  });

  it('can be pending and succeed, or succeed and then fail', async () => {
    const { body } = await s.post(REFUNDS, { payment_intent: await paid('pm_card_pendingRefund') });
    expect([body.status, s.money('pay_1')?.refunded]).toEqual(['pending', 0]);
    complete('pay_1');
    expect([(await s.get(`${REFUNDS}/${body.id}`)).body.status, s.money('pay_1')?.refunded]).toEqual([
      'succeeded',
      2000,
    ]);
    complete(body.id, 'failed');
    expect((await s.get(`${REFUNDS}/${body.id}`)).body).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
    });
    expect(s.money('pay_1')?.refunded).toBe(0);
    expect((await s.webhooks()).map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['refund.updated', 'refund.failed']),
    );
  });

  it('applies a scenario, and requires a charge', async () => {
    const id = await paid();
    script('pending', { match: { operation: 'refund' } });
    script('decline:expired_card', { match: { operation: 'refund' } });
    expect((await s.post(REFUNDS, { payment_intent: id, amount: '100' })).body.status).toBe('pending');
    expect((await s.post(REFUNDS, { payment_intent: id, amount: '100' })).body.status).toBe('failed');
    expect((await s.post(REFUNDS, { amount: '100' })).body.error.code).toBe('parameter_missing');
    const open = await s.post(INTENTS, charge('pay_2', { payment_method: 'needs_3ds' }));
    expect((await s.post(REFUNDS, { payment_intent: open.body.id })).body.error.code).toBe(
      'payment_intent_unexpected_state',
    );
  });
});

describe('the official client', () => {
  it('understands every response', async () => {
    const rewrite: typeof fetch = (url, init) =>
      fetch(String(url).replace('https://api.stripe.com', `${s.simulators().base}/stripe`), init);
    const stripe = new Stripe(KEY, {
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(rewrite),
    });
    const order = {
      amount: 2000,
      currency: 'eur',
      confirm: true,
      return_url: 'https://shop.example',
      metadata: { payment_id: 'pay_1' },
    };
    const paid = await stripe.paymentIntents.create(
      { ...order, payment_method: 'pm_card_visa', expand: ['latest_charge'] },
      { idempotencyKey: 'k' },
    );
    expect([paid.status, typeof paid.latest_charge]).toEqual(['succeeded', 'object']);
    expect((await stripe.refunds.create({ payment_intent: paid.id, amount: 500 })).status).toBe('succeeded');
    const declined = stripe.paymentIntents.create({ ...order, payment_method: 'pm_card_chargeDeclinedLostCard' });
    await expect(declined).rejects.toMatchObject({
      type: 'StripeCardError',
      decline_code: 'lost_card',
      payment_intent: { status: 'requires_payment_method' },
    });
    const other = stripe.paymentIntents.create(
      { ...order, amount: 3000, payment_method: 'pm_card_visa' },
      { idempotencyKey: 'k' },
    );
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    script('rate_limited');
    await expect(stripe.paymentIntents.create({ ...order, payment_method: 'ok' })).rejects.toMatchObject({
      type: 'StripeRateLimitError',
    });
    const price_data = { currency: 'eur', unit_amount: 900, product_data: { name: 'Socks' } };
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example',
      line_items: [{ quantity: 1, price_data }],
    });
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    });
  });
});

it.runIf(inCi)('has the PSP specifications in CI', () => expect(specsThere).toBe(true));

describe.skipIf(!specsThere)('responses as Stripe documents them (skipped without the PSP specifications)', () => {
  it('match the schemas of the pinned version', async () => {
    const faults = schemaFaults('stripe.v2026-10-28.derived.openapi.json');
    const paid = await s.post(INTENTS, charge('pay_1'));
    const shown = await s.get(`${INTENTS}/${paid.body.id}?expand[]=latest_charge`);
    const declined = await s.post(INTENTS, charge('pay_2', { payment_method: 'pm_card_chargeDeclined' }));
    const action = await s.post(INTENTS, charge('pay_3', { payment_method: 'needs_3ds' }));
    const pending = await s.post(INTENTS, charge('pay_4', { payment_method: 'pending' }));
    const refund = await s.post(REFUNDS, { payment_intent: paid.body.id, amount: '100' });
    await s.post(`${INTENTS}/${action.body.id}/cancel`);
    for (const { body } of [paid, shown, action, pending]) expect(faults('PaymentIntent', body)).toEqual([]);
    expect(faults('Charge', shown.body.latest_charge)).toEqual([]);
    expect([faults('Error', declined.body), faults('PaymentIntent', declined.body.error.payment_intent)]).toEqual([
      [],
      [],
    ]);
    expect(faults('PaymentMethod', declined.body.error.payment_method)).toEqual([]);
    expect([faults('Refund', refund.body), faults('Account', (await s.get('/v1/account')).body)]).toEqual([[], []]);
    const events = (await s.webhooks()).map(({ event }) => event);
    const named = (type: string) =>
      `${type
        .split(/[._]/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}Event`;
    for (const event of events.filter(({ type }) =>
      /^(payment_intent\.(succeeded|canceled|processing|requires_action|payment_failed)|charge\.refunded|refund\.created)$/.test(
        type,
      ),
    )) {
      expect(faults(named(event.type), event)).toEqual([]);
    }
  });

  it('match the newest schema of checkout sessions', async () => {
    const faults = schemaFaults('stripe.v2023-08-16.checkout-sessions.openapi.json');
    const { body } = await s.post(SESSIONS, page('pay_1'));
    complete('pay_1');
    expect([
      faults('checkout.session', body),
      faults('checkout.session', (await s.get(`${SESSIONS}/${body.id}`)).body),
    ]).toEqual([[], []]);
  });
});
