import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { stripe } from '#shared/psp/stripe/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { inCi, nested, openApiCheck, specsThere } from '#test/contract/openapi-check.ts';
import { AN_ORDER, type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import { CAPTURE_ID, captureOrderOf } from '#test/contract/psp-capture.contract.ts';
import account from '#test/fixtures/stripe/account.json' with { type: 'json' };
import session from '#test/fixtures/stripe/checkout-session.json' with { type: 'json' };
import intent from '#test/fixtures/stripe/payment-intent.json' with { type: 'json' };
import refund from '#test/fixtures/stripe/refund.json' with { type: 'json' };

const CANARIES = ['sk_test_CANARYSECRETKEY', 'whsec_CANARYWEBHOOK', 'pm_CANARYTOKEN'] as const;

const anIntent = (fields: object) => ({ ...intent, last_payment_error: null, next_action: null, ...fields });
const paid = ({ sent, currency }: Money) =>
  anIntent({
    status: 'succeeded',
    amount: Number(sent),
    amount_received: Number(sent),
    currency: currency.toLowerCase(),
  });
const refused = (status: number, error: object): CannedResponse => ({
  status,
  body: { error: { message: `Quotes ${CANARIES.join(' ')}`, type: 'invalid_request_error', ...error } },
});

const declined = (reason: string): CannedResponse => {
  const fault = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: reason,
    message: `Quotes ${CANARIES.join(' ')}`,
  };
  return refused(402, {
    ...fault,
    payment_intent: anIntent({ status: 'requires_payment_method', last_payment_error: fault }),
  });
};

const euro: Money = { amount: 1099, currency: 'EUR', sent: '1099' };
const params = ({ body }: ReceivedRequest) => nested(body) as { [name: string]: unknown };

/** An intent of 5 EUR whose money is held, or was: `captured` cents of it are taken, 3 EUR of them by us. */
const held = (fields: object, captured = 0) =>
  anIntent({
    amount: 500,
    amount_capturable: 500 - captured,
    amount_received: captured,
    currency: 'eur',
    metadata: { ...AN_ORDER.metadata, ...(captured > 0 && { [CAPTURE_ID]: '300' }) },
    latest_charge: {
      id: CHARGE,
      object: 'charge',
      payment_method_details: { type: 'card', card: { capture_before: 1_767_830_400 } },
    },
    ...fields,
  });
const CHARGE = 'ch_3MmlLrLkdIwHu7ix0snN0B15';
const HELD_STATES = {
  open: { status: 'requires_capture' },
  closed: { status: 'succeeded', amount_capturable: 0 },
  canceled: { status: 'canceled', amount_capturable: 0, cancellation_reason: 'requested_by_customer' },
  expired: { status: 'canceled', amount_capturable: 0, cancellation_reason: 'expired' },
} as const;

const isSession = ({ path }: ReceivedRequest) => path.startsWith('/v1/checkout/');
/**
 * The newest sessions document that is public is older than the version we speak; these fields are in the library of
 * that version.
 */
const SINCE_THEN = {
  'POST /v1/checkout/sessions': {
    allowed_payment_method_types: { type: 'array', items: { type: 'string' } },
    payment_method_options: {
      type: 'object',
      properties: {
        card: {
          type: 'object',
          properties: { request_multicapture: { enum: ['if_available', 'never'] } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
};

const dialect: PspDialect<Credentials> = {
  adapter: stripe,
  credentials: { secret_key: CANARIES[0], webhook_secret: CANARIES[1] },
  token: CANARIES[2],
  reusableTokens: ['ok', { payment_method: CANARIES[2], customer: 'cus_1' }],
  canaries: CANARIES,
  reference: intent.id,
  refundReference: refund.id,
  sentMetadata: { refund: { ...AN_ORDER.metadata, refund_id: 're_01jc0000000000000000000001' } },
  money: [
    euro,
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 500, currency: 'ISK', sent: '50000' },
    { amount: 1200, currency: 'MGA', sent: '12' },
    { amount: 5120, currency: 'KWD', sent: '5120' },
    { amount: 250, currency: 'HUF', sent: '250' },
    { amount: 5_000, currency: 'UGX', sent: '500000' },
    { amount: 150_000_000, currency: 'IDR', sent: '150000000' },
    { amount: 100_000_000, currency: 'USD', sent: '100000000' },
  ],
  unsupportedAmounts: [
    { amount: 1250, currency: 'MGA' },
    { amount: 5124, currency: 'KWD' },
    { amount: 1_000_000_000_000, currency: 'USD' },
    { amount: 10_000_000_000, currency: 'ISK' },
    { amount: 10_000_000_000, currency: 'UGX' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'USD' },
  ],
  declines: [
    ['insufficient_funds', 'insufficient_funds', 'retry_same_later'],
    ['generic_decline', 'card_declined', 'retry_other_psp'],
    ['do_not_honor', 'do_not_honor', 'retry_other_psp'],
    ['processing_error', 'processing_error', 'retry_other_psp'],
    ['incorrect_cvc', 'incorrect_cvc', 'fix_input'],
    ['authentication_required', 'authentication_required', 'fix_input'],
    ['expired_card', 'expired_card', 'new_method'],
    ['lost_card', 'lost_card', 'never'],
    ['stolen_card', 'stolen_card', 'never'],
    ['fraudulent', 'fraud_suspected', 'never'],
    ['testmode_decline', 'invalid_payment_method', 'new_method'],
    ['a_reason_of_the_future', 'card_declined', 'retry_same_later'],
  ],
  responses: {
    approved: (money) => [{ body: paid(money) }],
    declined: (reason) => [declined(reason)],
    redirected: [
      {
        body: anIntent({
          status: 'requires_action',
          next_action: {
            type: 'redirect_to_url',
            redirect_to_url: { url: 'https://hooks.stripe.com/3d_secure/1', return_url: 'https://pay.example/' },
          },
        }),
      },
    ],
    hosted: [{ body: session }],
    pending: [{ body: anIntent({ status: 'processing', processing: { type: 'card' } }) }],
    refunded: ({ sent, currency }, status) => [
      {
        body: {
          ...refund,
          status,
          amount: Number(sent),
          currency: currency.toLowerCase(),
          payment_intent: intent.id,
          failure_reason: status === 'failed' ? 'declined' : undefined,
        },
      },
    ],
    canceled: [{ body: anIntent({ status: 'canceled', cancellation_reason: null }) }],
    cancelTooLate: [refused(400, { code: 'payment_intent_unexpected_state' }), { body: paid(euro) }],
    account: [{ body: { ...account, business_profile: { ...account.business_profile, name: 'Demo Shop Ltd' } } }],
    badCredentials: refused(401, { code: 'api_key_expired' }),
    notFound: refused(404, { code: 'resource_missing', param: 'id' }),
  },
  amountIn: (request) => {
    const { amount, amount_to_capture, line_items } = params(request) as {
      amount?: string;
      amount_to_capture?: string;
      line_items?: { price_data: { unit_amount: string } }[];
    };
    return amount ?? amount_to_capture ?? line_items?.[0]?.price_data.unit_amount;
  },
  idempotencyFields: ({ method, path, headers, body }) => ({
    method,
    path,
    key: headers['idempotency-key'],
    version: headers['stripe-version'],
    body,
  }),
  metadataIn: (request) => params(request).metadata,
  capture: {
    reference: intent.id,
    captureReference: CHARGE,
    modeIn: (request) => {
      const { capture_method, payment_intent_data, payment_method_options: options } = params(request) as Nested;
      return [capture_method ?? payment_intent_data?.capture_method, options?.card.request_multicapture];
    },
    modes: { token: ['manual', 'if_available'], page: ['manual', 'if_available'] },
    authorized: ({ sent, currency }) => [
      {
        body: held({
          status: 'requires_capture',
          amount: Number(sent) + 1,
          amount_capturable: Number(sent),
          currency: currency.toLowerCase(),
        }),
      },
    ],
    captured: (_, state) =>
      state === 'failed'
        ? [refused(400, { code: 'amount_too_large' }), { body: held(HELD_STATES.open) }]
        : [{ body: held({ ...HELD_STATES.closed, ...(state === 'accepted' && { status: 'processing' }) }, 300) }],
    states: ['succeeded', 'accepted', 'failed'],
    lookedUp: (state, captured) => [{ body: held(HELD_STATES[state], captured) }],
    isFinalIn: (request) => params(request).final_capture !== 'false',
    released: [{ body: held(HELD_STATES.open) }, { body: held(HELD_STATES.canceled) }],
    releaseOutcome: 'canceled',
    releasedTooLate: [{ body: held(HELD_STATES.closed, 500) }],
  },
  accountName: 'Demo Shop Ltd',
  check: () => {
    const pinned = openApiCheck('stripe.v2026-10-28.derived.openapi.json');
    // The document of the pinned version leaves `expand` out of look-ups.
    const official = openApiCheck('stripe.v2023-08-16.official.openapi.json');
    const sessions = openApiCheck('stripe.v2023-08-16.checkout-sessions.openapi.json', SINCE_THEN);
    const checkFor = (request: ReceivedRequest) => {
      if (isSession(request)) return sessions;
      return isExpanded(request) ? official : pinned;
    };
    return (request) => [
      ...checkFor(request)(request),
      ...(request.headers['stripe-version'] === '2026-10-28.endive' ? [] : [`${request.path} names no version`]),
      ...(request.method === 'POST' && !isRepeatable(request) && !request.headers['idempotency-key']
        ? [`${request.path} has no key`]
        : []),
    ];
  },
};

type Nested = {
  readonly capture_method?: string;
  readonly payment_intent_data?: { readonly capture_method: string };
  readonly payment_method_options?: { readonly card: { readonly request_multicapture: string } };
};

const isExpanded = ({ method, query }: ReceivedRequest): boolean => method === 'GET' && query.has('expand[]');

/** Calls that do the same as often as they are made. A key would return an earlier "not now" for a day. */
const isRepeatable = (request: ReceivedRequest): boolean =>
  /\/(cancel|expire)$/.test(request.path) || params(request).amount_to_capture === '0';

type Credentials = Parameters<typeof stripe.ping>[0]['credentials'];
const SESSION = session.id;
const page = (fields: object): CannedResponse => ({ body: { ...session, ...fields } });
const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/\/(pi|cs)_\w+/, '/$1')}`);

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const onPage = { ...order, paymentMethod: { type: 'card' } };
  const fetchPage = () => stripe.fetch({ reference: SESSION, paymentId, attemptId, mayCapture: true }, context());

  describe('the Stripe adapter on captures', () => {
    const capture = { ...captureOrderOf(order, intent.id), isRepeat: true };
    const charge = { reference: intent.id, paymentId, attemptId, mayCapture: true, manual: true } as const;

    it('finds a capture whose response was lost by our id in the metadata, and sends none', async () => {
      respond({ body: held(HELD_STATES.open, 300) });
      expect(await stripe.capture?.(capture, context())).toEqual({ kind: 'succeeded', reference: CHARGE });
      expect(paths(requests())).toEqual(['GET /v1/payment_intents/pi']);
    });

    it('sends a capture again that the metadata do not name, the next day under another key', async () => {
      respond({ body: held(HELD_STATES.open) }, { body: held(HELD_STATES.closed, 300) });
      const nextDay = { ...context(), now: () => new Date(Date.parse(order.startedAt) + 25 * 3_600_000) };
      expect(await stripe.capture?.(capture, nextDay)).toMatchObject({ kind: 'succeeded' });
      expect(requests()[1]!.headers['idempotency-key']).toBe(`${CAPTURE_ID}_1`);
      expect(params(requests()[1]!)).toMatchObject({ amount_to_capture: '300', metadata: { [CAPTURE_ID]: '300' } });
    });

    it('tells a capture that came after the end of the hold', async () => {
      respond(refused(400, { code: 'payment_intent_unexpected_state' }), { body: held(HELD_STATES.expired) });
      expect(await stripe.capture?.({ ...capture, isRepeat: false }, context())).toMatchObject({
        kind: 'failed',
        decline: { code: 'authorization_expired' },
      });
    });

    it('releases what is left after a capture by a last capture of nothing', async () => {
      respond({ body: held(HELD_STATES.open, 300) }, { body: held(HELD_STATES.closed, 300) });
      expect(await stripe.cancel(charge, context())).toEqual({ kind: 'canceled', reference: intent.id });
      expect(params(requests()[1]!)).toEqual({ amount_to_capture: '0', final_capture: 'true' });
    });
  });

  describe('the Stripe adapter on payment intents', () => {
    it('confirms and captures an intent at once, limited to its method', async () => {
      respond({ body: paid(euro) });
      await stripe.create(order, context());
      const sent = {
        confirm: 'true',
        capture_method: 'automatic',
        payment_method: CANARIES[2],
        allowed_payment_method_types: ['card'],
        return_url: order.returnUrl,
      };
      expect(params(requests()[0]!)).toMatchObject(sent);
      expect(requests()[0]!.headers['idempotency-key']).toBe(attemptId);
    });

    it.each<[string, ChargeOrder['paymentMethod']['token'], object]>([
      ['a confirmation token', 'ctoken_1', { confirmation_token: 'ctoken_1' }],
      [
        'a saved method with its customer',
        { payment_method: 'pm_1', customer: 'cus_1' },
        { payment_method: 'pm_1', customer: 'cus_1' },
      ],
      ['a word of the simulator', 'ok', { payment_method: 'ok' }],
    ])('accepts %s as a token', async (_, token, sent) => {
      respond({ body: paid(euro) });
      await stripe.create({ ...order, paymentMethod: { type: 'card', token } }, context());
      expect(params(requests()[0]!)).toMatchObject(sent);
      expect(params(requests()[0]!)).not.toHaveProperty('off_session');
    });

    it('rejects a token of another form without a call', async () => {
      expect(
        await errorOf(stripe.create({ ...order, paymentMethod: { type: 'card', token: { pan: '4242' } } }, context())),
      ).toMatchObject({ kind: 'request' });
      expect(requests()).toEqual([]);
    });

    it('captures an authorized intent, under the same key at each look-up', async () => {
      for (const find of [
        () => stripe.create(order, context()),
        () => stripe.fetch({ reference: intent.id, paymentId, attemptId, mayCapture: true }, context()),
      ]) {
        respond({ body: anIntent({ status: 'requires_capture' }) }, { body: paid(euro) });
        expect(await find()).toMatchObject({ kind: 'succeeded', amount: 1099 });
        expect(requests().at(-1)!.headers['idempotency-key']).toBe(`${intent.id}-capture`);
      }
    });

    it.each<[string, CannedResponse]>([
      ['fails', { status: 500, body: {} }],
      ['is refused', refused(400, { code: 'payment_intent_unexpected_state' })],
      ['brings nothing', 'cut'],
    ])('keeps an intent processing when its capture %s', async (_, capture) => {
      respond({ body: anIntent({ status: 'requires_capture' }) }, capture);
      expect(await stripe.create(order, context())).toEqual({ kind: 'processing', reference: intent.id });
    });

    it('confirms an intent that lacks only its confirmation, once', async () => {
      respond({ body: anIntent({ status: 'requires_confirmation' }) }, { body: paid(euro) });
      expect(await stripe.confirm({ reference: intent.id, order, input: {} }, context())).toMatchObject({
        kind: 'succeeded',
      });
      expect(paths(requests())).toEqual(['GET /v1/payment_intents/pi', 'POST /v1/payment_intents/pi/confirm']);
      expect(requests()[1]!.headers['idempotency-key']).toBe(`${attemptId}-confirm`);
    });

    it('only looks up an intent after the customer has acted', async () => {
      respond({ body: paid(euro) });
      expect(await stripe.confirm({ reference: intent.id, order, input: {} }, context())).toMatchObject({
        kind: 'succeeded',
      });
      expect(paths(requests())).toEqual(['GET /v1/payment_intents/pi']);
    });

    it('declines an intent whose method does not exist, without blaming the account', async () => {
      respond(refused(400, { code: 'resource_missing', param: 'payment_method' }));
      expect(await stripe.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf('invalid_payment_method', 'resource_missing'),
      });
    });

    it('follows an intent that moved on after the decline in the same response', async () => {
      respond(refused(402, { type: 'card_error', code: 'card_declined', payment_intent: paid(euro) }));
      expect(await stripe.create(order, context())).toMatchObject({ kind: 'succeeded' });
    });

    it.each<[string, CannedResponse]>([
      ['still runs', refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })],
      ['went out with other parameters', refused(400, { type: 'idempotency_error' })],
      ['holds the object', refused(429, { code: 'lock_timeout' })],
      [
        'failed, and is replayed',
        { status: 500, headers: { 'idempotent-replayed': 'true' }, body: { error: { type: 'api_error' } } },
      ],
    ])('throws PspOutcomeUnknown when the first call %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(stripe.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, CannedResponse, ...Parameters<typeof declineOf>]>([
      [
        'an amount below its minimum',
        refused(400, { code: 'amount_too_small', param: 'amount' }),
        'amount_not_supported',
        'amount_too_small',
      ],
      [
        'an amount above its maximum',
        refused(400, { code: 'amount_too_large', param: 'amount' }),
        'amount_not_supported',
        'amount_too_large',
      ],
      ['a currency it does not know', refused(400, { param: 'currency' }), 'currency_not_supported', null],
      [
        'a method that the account has not',
        refused(400, { code: 'payment_method_unactivated' }),
        'method_not_supported',
        'payment_method_unactivated',
      ],
      ['a token that is too long', refused(400, { param: 'payment_method' }), 'invalid_payment_method', null],
      [
        'a token that is not there',
        refused(404, { code: 'resource_missing', param: 'payment_method' }),
        'invalid_payment_method',
        'resource_missing',
      ],
    ])('declines a charge for %s, without blaming the account', async (_, reply, ...decline) => {
      respond(reply);
      expect(await stripe.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(...decline),
      });
    });

    it('declines a page for its amount, too', async () => {
      respond(refused(400, { code: 'amount_too_small' }));
      expect(await stripe.create(onPage, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'amount_not_supported', retry: 'only_other_psp' },
      });
    });

    it.each<[string, CannedResponse, object]>([
      [
        'a right it lacks',
        refused(403, { type: 'invalid_request_error', code: 'secret_key_required' }),
        { kind: 'credentials' },
      ],
      [
        'a parameter',
        refused(400, { code: 'parameter_unknown', param: 'amount' }),
        { kind: 'request', provider_code: 'parameter_unknown' },
      ],
      ['the account', refused(400, { code: 'account_invalid' }), { kind: 'account', provider_code: 'account_invalid' }],
    ])('throws our own message for a request refused for %s', async (_, reply, expected) => {
      respond(reply);
      const error = await errorOf(stripe.create(order, context()));
      expect(error).toMatchObject(expected);
      expect(String(error)).not.toContain('Quotes');
    });
  });

  describe('the Stripe adapter off-session', () => {
    const away: ChargeOrder = {
      ...order,
      paymentMethod: { type: 'card', token: { payment_method: 'pm_1', customer: 'cus_1' } },
      offSession: true,
    };

    it('sends off_session and the customer of the method', async () => {
      respond({ body: paid(euro) });
      expect(await stripe.create(away, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(params(requests()[0]!)).toEqual({
        amount: '1099',
        currency: 'eur',
        confirm: 'true',
        off_session: 'true',
        capture_method: 'automatic',
        payment_method: 'pm_1',
        customer: 'cus_1',
        allowed_payment_method_types: ['card'],
        description: order.description,
        metadata,
        return_url: order.returnUrl,
      });
      expect(requests()[0]!.headers['idempotency-key']).toBe(attemptId);
    });

    it('confirms an off-session intent as off-session', async () => {
      respond({ body: anIntent({ status: 'requires_confirmation' }) }, { body: paid(euro) });
      await stripe.confirm({ reference: intent.id, order: away, input: {} }, context());
      expect(params(requests()[1]!)).toEqual({ return_url: order.returnUrl, off_session: 'true' });
    });

    it('declines a charge whose issuer requires the customer, and redirects it on-session', async () => {
      const fault = { type: 'card_error', code: 'authentication_required', decline_code: 'authentication_required' };
      respond(
        refused(402, {
          ...fault,
          payment_intent: anIntent({ status: 'requires_payment_method', last_payment_error: fault }),
        }),
      );
      const decline = declineOf('authentication_required', 'authentication_required');
      expect(await stripe.create(away, context())).toEqual({ kind: 'declined', reference: intent.id, decline });
      expect(failureOf(decline)).toMatchObject({ category: 'soft_decline' });
      respond(...dialect.responses.redirected);
      expect(await stripe.create({ ...away, offSession: false, attemptId: 'att_2' }, context())).toMatchObject({
        kind: 'requires_action',
        action: { type: 'redirect', url: 'https://hooks.stripe.com/3d_secure/1' },
      });
      expect(params(requests()[1]!)).toMatchObject({
        payment_method: 'pm_1',
        customer: 'cus_1',
        return_url: order.returnUrl,
      });
      expect(params(requests()[1]!)).not.toHaveProperty('off_session');
    });

    it.each<[string, CannedResponse, string]>([
      ['an authorization that was revoked', declined('revocation_of_authorization'), 'authorization_revoked'],
      ['all of them revoked', declined('revocation_of_all_authorizations'), 'authorization_revoked'],
      ['a stopped series', declined('stop_payment_order'), 'authorization_revoked'],
      ['a debit that is not agreed to', declined('debit_not_authorized'), 'authorization_revoked'],
      ['a mandate canceled in India', declined('india_recurring_payment_mandate_canceled'), 'authorization_revoked'],
      ['an invalid mandate', refused(400, { code: 'payment_intent_mandate_invalid' }), 'authorization_revoked'],
      ['an expired card', declined('expired_card'), 'expired_card'],
      [
        'a method that is gone',
        refused(400, { code: 'resource_missing', param: 'payment_method' }),
        'invalid_payment_method',
      ],
      [
        'a customer who is gone',
        refused(400, { code: 'resource_missing', param: 'customer' }),
        'invalid_payment_method',
      ],
      [
        'a mandate that is gone',
        refused(400, { code: 'resource_missing', param: 'mandate' }),
        'invalid_payment_method',
      ],
    ])('fails for good on %s off-session', async (_, reply, code) => {
      respond(reply);
      const outcome = await stripe.create(away, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: { code } });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline).category).toBe('hard_decline');
    });
  });

  it.each<[NonNullable<ChargeOrder['paymentMethod']['token']>, string, boolean]>([
    [{ payment_method: 'pm_1', customer: 'cus_1' }, 'card', true],
    [{ payment_method: 'pm_1', customer: 'cus_1', mandate: 'mandate_1' }, 'sepa_debit', true],
    [{ payment_method: 'pm_1', customer: 'cus_1' }, 'wallet', true],
    [{ payment_method: 'pm_1', customer: 'cus_1' }, 'ideal', false],
    [{ payment_method: 'pm_1', customer: 'cus_1' }, 'p24', false],
    [{ payment_method: 'pm_1' }, 'card', false],
    [{ payment_method: 'pm_1', customer: '' }, 'card', false],
    [{ payment_method: 'ok' }, 'card', true],
    ['pm_1', 'card', false],
    ['card_1', 'card', false],
    ['tok_visa', 'card', false],
    ['pm_card_visa', 'card', true],
    ['ok', 'card', true],
    ['needs_3ds', 'card', true],
    ['pending', 'sepa_debit', true],
    ['decline_expired_card', 'card', true],
    ['ctoken_1', 'card', false],
    [{ confirmation_token: 'ctoken_1' }, 'card', false],
    [{ confirmation_token: 'ctoken_1', customer: 'cus_1' }, 'card', false],
    ['', 'card', false],
    [{}, 'card', false],
    [{ payment_method: 'pm_1', customer: 'cus_1', pan: '4242' }, 'card', false],
  ])('says whether the token %j is reusable as %s: %s', (token, method, expected) => {
    expect(stripe.isReusableToken(token, method)).toBe(expected);
  });

  describe('the Stripe adapter on checkout sessions', () => {
    it('sends our metadata for the session and for its intent', async () => {
      respond(page({}));
      expect(await stripe.create(onPage, context())).toMatchObject({
        reference: SESSION,
        expires_at: '2009-02-14T23:31:30.000Z',
      });
      expect(params(requests()[0]!)).toMatchObject({
        mode: 'payment',
        metadata,
        payment_intent_data: { metadata },
        success_url: order.returnUrl,
        cancel_url: order.returnUrl,
      });
      expect(requests()[0]!.headers['idempotency-key']).toBe(attemptId);
    });

    const failed = {
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'lost_card' },
    };
    it.each<[string, object, object]>([
      [
        'waits for the customer while it is open',
        { payment_intent: null },
        { kind: 'requires_action', reference: SESSION },
      ],
      [
        'keeps waiting after a declined try',
        { payment_intent: anIntent(failed) },
        { kind: 'requires_action', reference: SESSION },
      ],
      [
        'is what its intent is once it is complete',
        { status: 'complete', payment_intent: paid(euro) },
        { kind: 'succeeded', reference: intent.id, amount: 1099 },
      ],
      [
        'is processing while a debit runs',
        { status: 'complete', payment_intent: anIntent({ status: 'processing' }) },
        { kind: 'processing', reference: intent.id },
      ],
      [
        'is declined when that debit fails',
        { status: 'complete', payment_intent: anIntent(failed) },
        { kind: 'declined', reference: intent.id },
      ],
      [
        'has expired without money',
        { status: 'expired', url: null },
        { kind: 'declined', reference: SESSION, decline: { code: 'expired' } },
      ],
      [
        'took money before it expired',
        { status: 'expired', url: null, payment_intent: paid(euro) },
        { kind: 'succeeded', reference: intent.id },
      ],
      ['is in a state of the future', { status: 'paused' }, { kind: 'processing', reference: SESSION }],
    ])('%s', async (_, fields, expected) => {
      respond(page(fields));
      expect(await fetchPage()).toMatchObject(expected);
    });

    it('fetches the intent of a session when Stripe returns only its id', async () => {
      respond(page({ status: 'complete', payment_intent: intent.id }), { body: paid(euro) });
      expect(await fetchPage()).toMatchObject({ kind: 'succeeded', reference: intent.id });
    });

    it('expires a session on cancel', async () => {
      respond(page({ status: 'expired', url: null }));
      expect(await stripe.cancel({ reference: SESSION, paymentId, attemptId, mayCapture: true }, context())).toEqual({
        kind: 'canceled',
        reference: SESSION,
      });
      expect(paths(requests())).toEqual(['POST /v1/checkout/sessions/cs/expire']);
    });

    it('returns the success of a session that was paid just before the cancel', async () => {
      respond(refused(400, {}), page({ status: 'complete', payment_intent: paid(euro) }));
      expect(
        await stripe.cancel({ reference: SESSION, paymentId, attemptId, mayCapture: true }, context()),
      ).toMatchObject({
        kind: 'succeeded',
        reference: intent.id,
      });
    });

    it('refunds a session through its intent', async () => {
      respond(page({ status: 'complete', payment_intent: intent.id }), { body: refund });
      const refundOrder = {
        paymentId,
        refundId: 're_2',
        reference: SESSION,
        amount: 100,
        currency: 'USD',
        metadata,
      };
      expect(await stripe.refund(refundOrder, context())).toMatchObject({ kind: 'succeeded' });
      expect(params(requests()[1]!)).toEqual({
        payment_intent: intent.id,
        amount: '100',
        metadata: { ...metadata, refund_id: 're_2' },
      });
    });
  });

  it.each([
    ['charge_already_refunded', 'already_refunded'],
    ['charge_disputed', 'charge_disputed'],
    ['balance_insufficient', 'insufficient_balance'],
  ])('fails a refund that Stripe refuses with %s', async (code, why) => {
    respond(refused(400, { code }));
    const refundOrder = {
      paymentId,
      refundId: 're_3',
      reference: intent.id,
      amount: 100,
      currency: 'USD',
      metadata,
    };
    expect(await stripe.refund(refundOrder, context())).toEqual({
      kind: 'failed',
      reference: null,
      decline: { code: why, provider_code: code },
    });
  });

  describe('the Stripe adapter in a search', () => {
    const started = Date.parse(order.startedAt) / 1000;
    it('searches by our payment, and prefers a paid intent to a newer one', async () => {
      respond({
        body: {
          object: 'search_result',
          data: [
            anIntent({ id: 'pi_new', created: started + 9, status: 'processing' }),
            { ...paid(euro), created: started + 1 },
          ],
        },
      });
      expect(await stripe.find?.(order, context())).toMatchObject({ kind: 'succeeded', reference: intent.id });
      expect(requests()[0]!.query.get('query')).toBe(`metadata['payment_id']:'${paymentId}'`);
    });

    it('ignores earlier attempts of the payment', async () => {
      respond({ body: { object: 'search_result', data: [{ ...paid(euro), created: started - 61 }] } });
      expect(await stripe.find?.(order, context())).toBeUndefined();
    });
  });

  describe('the Stripe adapter in a ping', () => {
    it('accepts a restricted key without the name of the account', async () => {
      respond(refused(403, { code: 'more_permissions_required' }));
      expect(await stripe.ping(context())).toEqual({ accountName: null });
    });

    it.each([
      [{ settings: { dashboard: { display_name: 'Shown' } }, company: { name: 'Company' } }, 'Shown'],
      [{ company: { name: 'Company' } }, 'Company'],
      [{}, null],
    ])('returns a name of the account from %j', async (fields, accountName) => {
      respond({ body: { object: 'account', ...fields } });
      expect(await stripe.ping(context())).toEqual({ accountName });
    });

    it('sends the account that a platform acts for in every call', async () => {
      respond({ body: account });
      const { credentials, ...rest } = context();
      await stripe.ping({ ...rest, credentials: { ...credentials, account: 'acct_1' } });
      expect(requests()[0]!.headers['stripe-account']).toBe('acct_1');
    });
  });

  it.runIf(specsThere || inCi)(
    'reports a parameter that this API version has dropped (needs ../shared/psp-specs)',
    () => {
      const request = {
        method: 'POST',
        path: '/v1/payment_intents',
        query: new URLSearchParams(),
        headers: FORM,
        body: 'amount=1&currency=eur&payment_method_types[0]=card',
      };
      expect(dialect.check()(request)).not.toEqual([]);
    },
  );
};
const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  'stripe-version': '2026-10-28.endive',
  'idempotency-key': '1',
};

describe('stripe', () => describePsp(dialect, ownCases));
