import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  askProvider,
  bring,
  complete,
  drain,
  eventText,
  eventTypesOf,
  moneyOf,
  pay,
  payAnywhere,
  payOnPage,
  read,
  type Shop,
  signatureOf,
} from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: Shop;
let how: CallOptions;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { a: { routing_hints: { method_bias: { card: 1 } } }, b: {} });
  how = { key: shop.key };
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const readPayment = (id: string) => read(host, id, how);
const secretOf = (connection = 'a') => shop.credentials[connection]!.webhook_secret;
const atProvider = (method: 'GET' | 'POST', path: string, form = {}) =>
  askProvider(host, shop.credentials.a!.secret_key, method, path, form);
const intentOf = (reference: string) => atProvider('GET', `/v1/payment_intents/${reference}`);
const sendEvent = (type: string, object: Body, secret = secretOf()) => bring(host, eventText({ type, object }), secret);

/**
 * Returns once a callback of the provider has arrived and was processed. Must be called before the callback can
 * arrive.
 */
function nextCallback(): { readonly come: () => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = host.onCall(({ group }) => group === 'psp-webhooks' && resolve());
  return {
    come: async () => {
      await promise;
      stop();
      await drain(host);
    },
  };
}

/** What has to agree in the end: the payment, the money and the events of the merchant. */
async function finalStateOf(id: string) {
  await drain(host);
  await advance(host, '25h');
  const { status, late_success, amount_refunded, review, attempts, refunds } = await readPayment(id);
  return {
    record: [status, late_success, amount_refunded, review],
    attempts: attempts.map((a: Body) => [a.connection_id, a.status]),
    refunds: refunds.map((r: Body) => [r.amount, r.status, r.reason]),
    money: await moneyOf(host, id),
    told: (await eventTypesOf(host, id, how)).toSorted(),
  };
}

const once = { amount: 5_000, refunded: 0, currency: 'EUR', count: 1 };
const PAID = {
  record: ['succeeded', false, 0, null],
  attempts: [['a', 'succeeded']],
  refunds: [],
  money: once,
  told: ['created', 'succeeded'],
};
const DECLINED = {
  ...PAID,
  record: ['failed', false, 0, null],
  attempts: [['a', 'failed']],
  money: { amount: 0, refunded: 0, currency: '', count: 0 },
  told: ['created', 'failed'],
};

const CANCELED = {
  ...DECLINED,
  record: ['canceled', false, 0, null],
  attempts: [['a', 'canceled']],
  told: ['canceled', 'created'],
};

async function canceled({ id }: Body, webhook: string): Promise<string> {
  await arrange(host, 'approve', { webhook, match: { operation: 'cancel' } });
  expect((await act(host, id, 'cancel', undefined, how)).body.status).toBe('canceled');
  return id;
}

async function expired({ id }: Body, webhook: string): Promise<string> {
  await arrange(host, 'approve', { webhook, match: { operation: 'cancel' } });
  await advance(host, '25h');
  return id;
}

const SCENARIOS: readonly (readonly [string, (webhook: string) => Promise<string>, object])[] = [
  [
    'a charge that succeeds',
    async (webhook) => {
      await arrange(host, 'approve', { webhook });
      return (await payAnywhere(host, 'ok', {}, how)).id;
    },
    PAID,
  ],
  [
    'a charge that is declined for good',
    async (webhook) => {
      await arrange(host, 'decline:lost_card', { webhook });
      return (await payAnywhere(host, 'ok', {}, how)).id;
    },
    DECLINED,
  ],
  [
    'a charge that is declined and then approved by another connection',
    async (webhook) => {
      await arrange(host, 'decline:do_not_honor', { webhook });
      return (await payAnywhere(host, 'ok', {}, how)).id;
    },
    {
      ...PAID,
      attempts: [
        ['a', 'failed'],
        ['b', 'succeeded'],
      ],
    },
  ],
  [
    'a payment page that is paid',
    async (webhook) => {
      await arrange(host, 'approve', { webhook });
      const { id } = await payOnPage(host, {}, how);
      await complete(host, id, 'succeeded');
      return id;
    },
    PAID,
  ],
  [
    'a payment with 3-D Secure',
    async (webhook) => {
      await arrange(host, 'requires_action', { webhook });
      const { id } = await pay(host, 'ok', {}, how);
      await complete(host, id, 'succeeded');
      return id;
    },
    PAID,
  ],
  [
    'a payment that settles later',
    async (webhook) => {
      await arrange(host, 'pending', { webhook });
      const { id } = await pay(host, 'ok', {}, how);
      await complete(host, id, 'failed');
      return id;
    },
    DECLINED,
  ],
  ['a payment page that is canceled', async (webhook) => canceled(await payOnPage(host, {}, how), webhook), CANCELED],
  [
    'a payment that waits for 3-D Secure and is canceled',
    async (webhook) => canceled(await pay(host, 'needs_3ds', {}, how), webhook),
    CANCELED,
  ],
  ['a payment page that expires', async (webhook) => expired(await payOnPage(host, {}, how), webhook), DECLINED],
  [
    'a payment that waits for 3-D Secure until it expires',
    async (webhook) => expired(await pay(host, 'needs_3ds', {}, how), webhook),
    DECLINED,
  ],
  [
    'a refund',
    async (webhook) => {
      const { id } = await pay(host, 'ok', {}, how);
      await arrange(host, 'approve', { webhook, match: { operation: 'refund' } });
      await act(host, id, 'refund', { amount: 2_000 }, how);
      return id;
    },
    {
      ...PAID,
      record: ['succeeded', false, 2_000, null],
      refunds: [[2_000, 'succeeded', null]],
      money: { ...once, refunded: 2_000 },
      told: ['created', 'refunded', 'succeeded'],
    },
  ],
  [
    'a refund that settles later',
    async (webhook) => {
      const { id } = await pay(host, 'ok', {}, how);
      await arrange(host, 'pending', { webhook, match: { operation: 'refund' } });
      const { refunds } = (await act(host, id, 'refund', undefined, how)).body;
      await complete(host, refunds[0].psp_reference, 'succeeded');
      return id;
    },
    {
      ...PAID,
      record: ['refunded', false, 5_000, null],
      refunds: [[5_000, 'succeeded', null]],
      money: { ...once, refunded: 5_000 },
      told: ['created', 'refunded', 'succeeded'],
    },
  ],
];

describe.each(SCENARIOS)('%s', (_, play, end) => {
  it.each(['normal', 'early', 'duplicate', 'reordered', 'none'])(
    'ends the same when the callback is %s',
    async (webhook) => expect(await finalStateOf(await play(webhook))).toEqual(end),
  );

  it('ends the same when the callback is late', async () => {
    const news = nextCallback();
    const id = await play('late:60');
    await news.come();
    expect(await finalStateOf(id)).toEqual(end);
  });
});

/** Each order once: forwards and backwards from each start, everything twice. */
function ordersOf<T>(things: readonly T[]): (readonly T[])[] {
  const turns = things.map((_, n) => [...things.slice(n), ...things.slice(0, n)]);
  return [...turns, ...turns.map((turn) => turn.toReversed())].map((turn) => [...turn, ...turn]);
}

describe('callbacks of one payment in any order, and repeated', () => {
  it('lead to the same final state', async () => {
    for (const order of ordersOf([0, 1, 2, 3, 4])) {
      await arrange(host, 'approve', { webhook: 'none' });
      await arrange(host, 'approve', { webhook: 'none', match: { operation: 'refund' } });
      const { id, psp_reference: session } = await payOnPage(host, {}, how);
      await complete(host, id, 'succeeded');
      const page = await atProvider('GET', `/v1/checkout/sessions/${session}`);
      const refund = await atProvider('POST', '/v1/refunds', { payment_intent: page.payment_intent, amount: '2000' });
      const intent = await intentOf(page.payment_intent);
      const charge = await atProvider('GET', `/v1/charges/${intent.latest_charge}`);
      const news = [
        () => sendEvent('payment_intent.created', intent),
        () => sendEvent('payment_intent.succeeded', intent),
        () => sendEvent('checkout.session.completed', page),
        () => sendEvent('refund.created', refund),
        () => sendEvent('charge.refunded', charge),
      ];
      const refused: number[] = [];
      // A rejected callback is sent again, as the provider does.
      for (const n of order) if ((await news[n]!()).status !== 200) refused.push(n);
      for (const n of refused) expect((await news[n]!()).status).toBe(200);
      expect(await finalStateOf(id), order.join()).toEqual({
        ...PAID,
        record: ['succeeded', false, 2_000, null],
        refunds: [[2_000, 'succeeded', 'made_at_provider']],
        money: { ...once, refunded: 2_000 },
        told: ['created', 'refunded', 'succeeded'],
      });
    }
  });

  it('lead to the same final state when all arrive at once', async () => {
    await arrange(host, 'approve', { webhook: 'none' });
    const { id, psp_reference: session } = await payOnPage(host, {}, how);
    await complete(host, id, 'succeeded');
    const intent = await intentOf((await atProvider('GET', `/v1/checkout/sessions/${session}`)).payment_intent);
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendEvent('payment_intent.succeeded', intent)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await finalStateOf(id)).toEqual(PAID);
  });
});

describe('a callback', () => {
  let payment: Body;
  let intent: Body;
  beforeAll(async () => {
    await arrange(host, 'pending', { webhook: 'none' });
    payment = await pay(host, 'ok', {}, how);
    await complete(host, payment.id, 'succeeded');
    intent = await intentOf(payment.psp_reference);
  });
  const text = (change: object = {}, type = 'payment_intent.succeeded') =>
    eventText({ type, object: { ...intent, ...change } });
  const withMetadata = (change: object) => text({ metadata: { ...intent.metadata, ...change } });
  const post = async (body: string, headers = {}, path = '/webhooks/stripe'): Promise<ApiResponse> =>
    host.call('POST', path, body, { key: null, idempotencyKey: null, headers });
  const forged = {
    status: 401,
    body: {
      error: 'unauthorized',
      code: 'invalid_signature',
      message: 'The signature of this event is not valid for its connection.',
    },
  };
  afterEach(async () => expect((await readPayment(payment.id)).status).toBe('processing'));

  it.each([
    ['no signature', () => post(text())],
    ['an invalid signature', () => post(text(), { 'stripe-signature': 'nonsense' })],
    ['another secret', () => bring(host, text(), 'whsec_forged')],
    ['the secret of another connection', () => bring(host, text(), secretOf('b'))],
    [
      'an unknown organization',
      () => bring(host, withMetadata({ org_id: 'org_01jqeh2s00e8x9v3k5t7w2m4np' }), secretOf()),
    ],
    ['another organization', () => bring(host, withMetadata({ org_id: host.info.org_id }), secretOf())],
    ['an unknown connection', () => bring(host, withMetadata({ connection_id: 'none' }), secretOf())],
    [
      'a connection that did not make the payment',
      () => bring(host, withMetadata({ connection_id: 'b' }), secretOf('b')),
    ],
    [
      'an unknown payment',
      () => bring(host, withMetadata({ payment_id: 'pay_01jqeh2s00e8x9v3k5t7w2m4np' }), secretOf()),
    ],
    ['an invalid payment id', () => bring(host, withMetadata({ payment_id: '../x' }), secretOf())],
  ])('with %s gets the same 401 as any other', async (_, ask) => expect(await ask()).toMatchObject(forged));

  it('whose body was changed after signing gets a 401', async () => {
    const [signed, time] = [text(), Math.floor(host.clock.now().getTime() / 1_000)];
    const signature = { 'stripe-signature': signatureOf(signed, secretOf(), time) };
    expect(await post(signed.replace('"succeeded"', '"succeeded" '), signature)).toMatchObject(forged);
  });

  it('that was signed more than five minutes ago gets a 401', async () => {
    const time = Math.floor(host.clock.now().getTime() / 1_000) - 301;
    expect(await post(text(), { 'stripe-signature': signatureOf(text(), secretOf(), time) })).toMatchObject(forged);
  });

  it.each([
    ['names no payment', () => text({ id: 'pi_unknown', metadata: {} })],
    ['names only the organization', () => text({ id: 'pi_unknown', metadata: { org_id: intent.metadata.org_id } })],
    ['has no metadata at all', () => text({ id: 'pi_unknown', metadata: null })],
  ])('that %s gets a 400', async (_, body) => {
    expect(await bring(host, body(), secretOf())).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', code: 'webhook_unroutable' },
    });
  });

  it.each([
    ['is not JSON', '<event>'],
    ['is not an event', '{"hello":"world"}'],
    ['has no object', JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: {} })],
    ['is empty', ''],
  ])('that %s gets a 400', async (_, body) => {
    expect(await bring(host, body, secretOf())).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it.each(['customer.created', 'invoice.paid', 'account.updated', 'charge.succeeded'])(
    'of an unused type gets a 200, signed or not: %s',
    async (type) => {
      const body = eventText({ type, object: { id: 'x_1', metadata: {} } });
      expect([(await post(body)).status, (await bring(host, body, secretOf())).status]).toEqual([200, 200]);
    },
  );

  it.each(['acme', 'stripes', 'STRIPE'])('of the unknown provider %s gets a 404', async (provider) => {
    expect(await post(text(), {}, `/webhooks/${provider}`)).toMatchObject({
      status: 404,
      body: { error: 'not_found', code: 'not_found' },
    });
  });

  it('gets a 405 with another method and a 413 with an oversized body', async () => {
    expect(await host.call('GET', '/webhooks/stripe', undefined, { key: null })).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    });
    expect(await post('x'.repeat(300_000))).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});

describe('a valid callback', () => {
  const settling = async () => {
    await arrange(host, 'pending', { webhook: 'none' });
    const payment = await pay(host, 'ok', {}, how);
    await complete(host, payment.id, 'succeeded');
    return {
      id: payment.id,
      text: eventText({ type: 'payment_intent.succeeded', object: await intentOf(payment.psp_reference) }),
    };
  };

  it.each([
    ['the API', () => `${host.info.api}/webhooks/stripe`],
    ['the function URL', () => `${host.info.function_url}/webhooks/stripe`],
    ['a URL with query parameters', () => `${host.info.api}/webhooks/stripe?source=dashboard`],
  ])('is accepted at %s, however often it arrives', async (_, address) => {
    const { id, text } = await settling();
    for (let n = 0; n < 3; n += 1)
      expect(await bring(host, text, secretOf(), address())).toMatchObject({ status: 200, body: { received: true } });
    expect(await finalStateOf(id)).toEqual(PAID);
  });

  it('is accepted with either secret during a rotation', async () => {
    const own = await aShop(host, { a: {} });
    const credentials = { ...own.credentials.a, webhook_secret: [own.credentials.a!.webhook_secret, 'whsec_new'] };
    await aConnection(host, own, { id: 'a', credentials });
    const { id, psp_reference } = await pay(host, 'pending', {}, own);
    const object = await askProvider(
      host,
      own.credentials.a!.secret_key,
      'GET',
      `/v1/payment_intents/${psp_reference}`,
    );
    const text = eventText({ type: 'payment_intent.processing', object });
    for (const secret of credentials.webhook_secret) expect((await bring(host, text, secret)).status).toBe(200);
    expect((await read(host, id, own)).status).toBe('processing');
  });

  it('gets a 500 while the store is down, and is accepted when it is sent again', async () => {
    const { id, text } = await settling();
    await host.control('POST', '/faults', {
      point: 'table',
      nth: 1,
      kind: 'error',
      when: 'before',
      handler: 'psp-webhooks',
    });
    expect(await bring(host, text, secretOf())).toMatchObject({ status: 500, body: { error: 'internal_error' } });
    expect((await bring(host, text, secretOf())).status).toBe(200);
    expect(await finalStateOf(id)).toEqual(PAID);
  });

  it('gets a 502 while the provider cannot be queried, and is accepted when it is sent again', async () => {
    const { id, text } = await settling();
    await arrange(host, 'http_500', { match: { operation: 'fetch' } });
    expect(await bring(host, text, secretOf())).toMatchObject({ status: 502, body: { error: 'provider_error' } });
    expect((await readPayment(id)).status).toBe('processing');
    expect((await bring(host, text, secretOf())).status).toBe(200);
    expect(await finalStateOf(id)).toEqual(PAID);
  });
});

describe('a signed callback with false content', () => {
  const succeeded = (intent: Body) => ({ ...intent, status: 'succeeded', amount_received: intent.amount });

  it.each([
    ['processing', () => pay(host, 'pending', {}, how)],
    ['failed', () => pay(host, 'decline_card_declined', {}, how)],
    ['requires_action', () => pay(host, 'needs_3ds', {}, how)],
  ])('does not make a payment succeed that is %s', async (status, make) => {
    const payment = await make();
    await drain(host);
    const before = await readPayment(payment.id);
    expect((await sendEvent('payment_intent.succeeded', succeeded(await intentOf(payment.psp_reference)))).status).toBe(
      200,
    );
    expect([before.status, await readPayment(payment.id)]).toEqual([status, before]);
  });

  it.each(['payment_intent.payment_failed', 'payment_intent.canceled', 'charge.refunded'])(
    'changes nothing of a succeeded payment: %s',
    async (type) => {
      const payment = await pay(host, 'ok', {}, how);
      const intent = await intentOf(payment.psp_reference);
      await sendEvent(type, { ...intent, status: 'canceled', payment_intent: intent.id });
      expect(await readPayment(payment.id)).toEqual(payment);
    },
  );

  it('does not make a payment succeed with the charge of another payment', async () => {
    const [paid, waiting] = [await pay(host, 'ok', {}, how), await pay(host, 'pending', {}, how)];
    const charge = await intentOf(paid.psp_reference);
    expect(
      (
        await sendEvent('payment_intent.succeeded', {
          ...charge,
          metadata: { ...charge.metadata, payment_id: waiting.id },
        })
      ).status,
    ).toBe(401);
    expect([(await readPayment(waiting.id)).status, await readPayment(paid.id)]).toEqual(['processing', paid]);
  });

  it('does not complete a refund that the provider has not completed', async () => {
    const { id } = await pay(host, 'pm_card_pendingRefund', {}, how);
    const { refunds } = (await act(host, id, 'refund', undefined, how)).body;
    const refund = await atProvider('GET', `/v1/refunds/${refunds[0].psp_reference}`);
    await sendEvent('refund.updated', { ...refund, status: 'succeeded' });
    expect(await readPayment(id)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      refunds: [{ status: 'pending' }],
    });
  });

  it('does not create a refund that the provider does not have', async () => {
    const payment = await pay(host, 'ok', {}, how);
    const refund = {
      id: 're_invented',
      object: 'refund',
      amount: 5_000,
      currency: 'eur',
      status: 'succeeded',
      payment_intent: payment.psp_reference,
      metadata: {},
    };
    expect((await sendEvent('refund.created', refund)).status).toBe(502);
    expect(await readPayment(payment.id)).toEqual(payment);
  });
});

describe('a refund made at the provider', () => {
  it.each([
    ['a part', '2000', 'succeeded', 2_000],
    ['all', '5000', 'refunded', 5_000],
  ])('of %s is recorded', async (_, amount, status, amount_refunded) => {
    const { id, psp_reference } = await pay(host, 'ok', {}, how);
    const refund = await atProvider('POST', '/v1/refunds', { payment_intent: psp_reference, amount });
    await drain(host);
    expect(await readPayment(id)).toMatchObject({
      status,
      amount_refunded,
      refunds: [{ amount: amount_refunded, status: 'succeeded', reason: 'made_at_provider', psp_reference: refund.id }],
    });
    expect([(await moneyOf(host, id)).refunded, await eventTypesOf(host, id, how)]).toEqual([
      amount_refunded,
      ['created', 'succeeded', 'refunded'],
    ]);
    const more = await act(host, id, 'refund', undefined, how);
    expect(more).toMatchObject(
      status === 'refunded' ? { status: 409 } : { status: 200, body: { status: 'refunded', amount_refunded: 5_000 } },
    );
  });

  it('counts together with refunds of the API', async () => {
    const { id, psp_reference } = await pay(host, 'ok', {}, how);
    await act(host, id, 'refund', { amount: 3_000 }, how);
    await atProvider('POST', '/v1/refunds', { payment_intent: psp_reference, amount: '1500' });
    await drain(host);
    expect(await readPayment(id)).toMatchObject({
      amount_refunded: 4_500,
      refunds: [{ reason: null }, { reason: 'made_at_provider' }],
    });
    expect((await act(host, id, 'refund', { amount: 501 }, how)).body.code).toBe('refund_exceeds_remaining');
  });

  it('can stay pending, and then fail', async () => {
    const { id, psp_reference } = await pay(host, 'pm_card_pendingRefund', {}, how);
    const refund = await atProvider('POST', '/v1/refunds', { payment_intent: psp_reference, amount: '2000' });
    await drain(host);
    expect(await readPayment(id)).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'pending' }] });
    await complete(host, refund.id, 'failed');
    expect(await readPayment(id)).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'failed' }] });
  });
});

describe('a second charge at the provider', () => {
  const chargeAgain = async (id: string, form: Readonly<Record<string, string>> = {}) => {
    const names = { 'metadata[org_id]': shop.org_id, 'metadata[connection_id]': 'a', 'metadata[payment_id]': id };
    const paying = {
      amount: '5000',
      currency: 'eur',
      confirm: 'true',
      payment_method: 'ok',
      return_url: 'https://shop.example/',
    };
    const charge = await atProvider('POST', '/v1/payment_intents', { ...paying, ...names, ...form });
    await drain(host);
    return charge;
  };

  it.each([
    ['of the same amount', {}, 5_000],
    ['of another amount', { amount: '700' }, 700],
  ])('%s is refunded once, automatically', async (_, form, extra) => {
    const { id, psp_reference } = await pay(host, 'ok', {}, how);
    const second = await chargeAgain(id, form);
    await sendEvent('payment_intent.succeeded', second);
    const end = {
      attempts: [
        ['a', 'succeeded'],
        ['a', 'succeeded'],
      ],
      refunds: [[extra, 'succeeded', 'duplicate_charge']],
    };
    expect(await finalStateOf(id)).toEqual({
      ...PAID,
      ...end,
      money: { amount: 5_000 + extra, refunded: extra, currency: 'EUR', count: 2 },
    });
    expect((await readPayment(id)).psp_reference).toBe(psp_reference);
    expect((await act(host, id, 'refund', undefined, how)).body).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
    });
    expect((await moneyOf(host, id)).refunded).toBe(5_000 + extra);
  });

  it('is ignored when it was declined or waits for the customer', async () => {
    const payment = await pay(host, 'ok', {}, how);
    await chargeAgain(payment.id, { payment_method: 'decline_do_not_honor' });
    await chargeAgain(payment.id, { payment_method: 'needs_3ds' });
    expect(await readPayment(payment.id)).toEqual(payment);
  });

  it('counts as the first one when the payment had failed', async () => {
    const { id } = await pay(host, 'decline_card_declined', {}, how);
    const charge = await chargeAgain(id);
    expect(await readPayment(id)).toMatchObject({
      status: 'succeeded',
      late_success: true,
      psp_reference: charge.id,
      refunds: [],
    });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
  });

  it('is refunded when the payment was canceled', async () => {
    const { id } = await pay(host, 'needs_3ds', {}, how);
    await act(host, id, 'cancel', undefined, how);
    await chargeAgain(id);
    expect(await finalStateOf(id)).toMatchObject({
      record: ['canceled', false, 0, null],
      refunds: [[5_000, 'succeeded', 'after_cancel']],
      money: { amount: 5_000, refunded: 5_000 },
    });
  });
});
