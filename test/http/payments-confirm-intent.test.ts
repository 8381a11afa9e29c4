import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, anOrganization, type Body, type CallOptions } from '#test/support/host.ts';
import {
  act,
  anIntent,
  arrange,
  aShop,
  complete,
  drain,
  eventTypesOf,
  faultsIn,
  keyWith,
  moneyOf,
  operationsOf,
  read,
} from '#test/support/payment-steps.ts';

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost({ demoProviders: ['stripe', 'paystack'] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

type Intent = { readonly id: string; readonly client_secret: string };

/** As the shop's page does it: with the public key and the client secret from its server. */
const confirm = ({ id, client_secret }: Intent, more: Body = {}, how: CallOptions = {}): Promise<ApiResponse> =>
  host.call(
    'POST',
    `/v1/payments/${id}/confirm-intent`,
    { client_secret, ...more },
    { key: host.info.keys.public, idempotencyKey: null, ...how },
  );
const bareIntent = async (more: Body = {}, how: CallOptions = {}): Promise<Body> =>
  (await host.call('POST', '/v1/payments/intents', { amount: 5_000, currency: 'EUR', ...more }, how)).body;
const withToken = (token: string) => ({ payment_method: { type: 'card', token } });
const publicKeyOf = async (how: CallOptions): Promise<string> =>
  (await host.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public', scopes: [] }, how)).body.key;
const NOT_FOUND = {
  error: 'not_found',
  code: 'not_found',
  message: 'There is no such payment.',
  doc_url: expect.any(String),
};

describe('POST /v1/payments/{id}/confirm-intent', () => {
  it.each([
    ['succeeded', 'ok', { next_action: null, failure: null }],
    [
      'failed',
      'decline_insufficient_funds',
      { next_action: null, failure: { code: 'insufficient_funds', category: 'soft_decline' } },
    ],
    ['requires_action', 'needs_3ds', { next_action: { type: 'redirect', method: 'GET' }, failure: null }],
    ['processing', 'pending', { failure: null }],
  ])('charges, and returns only what the customer of a payment that %s may know', async (status, token, more) => {
    const intent = await bareIntent({
      metadata: { margin: 'high' },
      customer_email: 'kim@example.com',
      description: 'For your eyes only',
    });
    const { status: code, body } = await confirm(intent, withToken(token));
    expect([code, Object.keys(body).sort()]).toEqual([
      200,
      ['amount', 'currency', 'failure', 'id', 'next_action', 'status'],
    ]);
    expect(body).toMatchObject({ id: intent.id, status, amount: 5_000, currency: 'EUR', ...more });
    expect((await read(host, intent.id)).status).toBe(status);
  });

  it('charges the method of the intent, and announces it once', async () => {
    const intent = await anIntent(host);
    expect((await confirm(intent)).body.status).toBe('succeeded');
    expect([await moneyOf(host, intent.id), await eventTypesOf(host, intent.id)]).toEqual([
      { amount: 5_000, refunded: 0, currency: 'EUR', count: 1 },
      ['created', 'succeeded'],
    ]);
  });

  it('prefers the method that the customer chooses now', async () => {
    expect((await confirm(await anIntent(host, 'decline_expired_card'), withToken('ok'))).body.status).toBe(
      'succeeded',
    );
  });

  it.each<readonly [string, () => Promise<CallOptions> | CallOptions]>([
    ['a public key as a Bearer token', () => ({})],
    [
      'a public key as X-Service-Key',
      () => ({ key: null, headers: { 'x-service-key': host.info.keys.public, 'x-org-id': host.info.org_id } }),
    ],
    ['a service key', () => ({ key: host.info.keys.service })],
    ['a key that may only read', async () => ({ key: await keyWith(host, ['payments:read']) })],
  ])('accepts %s', async (_, how) => {
    expect(await confirm(await anIntent(host), {}, await how())).toMatchObject({
      status: 200,
      body: { status: 'succeeded' },
    });
  });

  it("takes the IP address of the customer from the browser, and leaves it to the shop's server when that confirms", async () => {
    const [from, by] = [
      await anIntent(host, 'ok', { customer_ip: '203.0.113.7' }),
      await anIntent(host, 'ok', { customer_ip: '203.0.113.7' }),
    ];
    await confirm(from, {}, { headers: { 'x-forwarded-for': '198.51.100.1' } });
    await confirm(by, {}, { key: host.info.keys.secret });
    expect([(await read(host, from.id)).customer_ip, (await read(host, by.id)).customer_ip]).toEqual([
      '127.0.0.1',
      '203.0.113.7',
    ]);
  });

  it('makes one attempt for five simultaneous requests', async () => {
    const intent = await anIntent(host);
    await arrange(host, 'slow:500');
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(intent)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect([(await read(host, intent.id)).attempts.length, (await moneyOf(host, intent.id)).count]).toEqual([1, 1]);
  });

  it("makes one attempt when the shop's server confirms at the same time", async () => {
    const intent = await anIntent(host);
    await arrange(host, 'slow:500');
    const answers = await Promise.all([act(host, intent.id, 'confirm'), confirm(intent)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([(await read(host, intent.id)).attempts.length, (await moneyOf(host, intent.id)).count]).toEqual([1, 1]);
  });

  it.each([
    ['succeeded', async () => settledBy('ok')],
    ['failed', async () => settledBy('decline_card_declined')],
    ['processing', async () => settledBy('pending')],
    ['canceled', async () => endedBy('cancel', await anIntent(host))],
    ['refunded', async () => endedBy('refund', await settledBy('ok'))],
  ])('answers 409 for a %s payment', async (state, make) => {
    const { status, body } = await confirm(await make(), withToken('ok'));
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'payment_not_confirmable',
        message: `A ${state} payment can't be confirmed.`,
        doc_url: expect.any(String),
      },
    ]);
  });

  it('fails without a call to a provider if none can take the payment', async () => {
    const { key } = await aShop(host, {});
    const intent = await bareIntent({}, { key });
    const answer = await confirm(intent, withToken('ok'), { key: await publicKeyOf({ key }) });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'failed', failure: { code: 'no_route', category: 'configuration' } },
    });
    expect(await operationsOf(host, intent.id)).toEqual([]);
  });

  it.each(['lost_card', 'stolen_card', 'fraud_suspected'])(
    'hides %s behind a generic decline, which the merchant sees in full',
    async (code) => {
      const [intent, ordinary] = [await bareIntent(), await bareIntent()];
      const told = (await confirm(intent, withToken(`decline_${code}`))).body.failure;
      expect(told).toEqual((await confirm(ordinary, withToken('decline_card_declined'))).body.failure);
      expect(told).toMatchObject({ code: 'card_declined', provider_code: null });
      expect((await read(host, intent.id)).failure.code).toBe(code);
    },
  );
});

async function settledBy(token: string): Promise<Body> {
  const intent = await anIntent(host, token);
  await confirm(intent);
  return intent;
}

async function endedBy(action: 'cancel' | 'refund', intent: Body): Promise<Body> {
  await act(host, intent.id, action);
  return intent;
}

describe('a client secret', () => {
  const altered = (secret: string, at: number) =>
    secret.slice(0, at) + (secret.at(at) === 'A' ? 'B' : 'A') + secret.slice(at + 1);

  it.each<readonly [string, (own: Intent, other: Intent) => Intent]>([
    ['that is invented', (own) => ({ ...own, client_secret: 'open sesame' })],
    ['of another payment', (own, other) => ({ ...own, client_secret: other.client_secret })],
    [
      'that names this payment and ends as another’s',
      (own, other) => ({ ...own, client_secret: own.id + other.client_secret.slice(other.id.length) }),
    ],
    [
      'with its last character changed',
      (own) => ({ ...own, client_secret: altered(own.client_secret, own.client_secret.length - 1) }),
    ],
    [
      'with its first character changed',
      (own) => ({ ...own, client_secret: altered(own.client_secret, own.id.length + '_secret_'.length) }),
    ],
    ['that is truncated', (own) => ({ ...own, client_secret: own.client_secret.slice(0, -1) })],
    ['with more text after it', (own) => ({ ...own, client_secret: `${own.client_secret}=` })],
    ['of an unknown payment', ({ client_secret }) => ({ id: 'pay_01jzzzzzzzfz0a1b2c3d4e5f6g', client_secret })],
    ['of text that is not a payment id', ({ client_secret }) => ({ id: 'none', client_secret })],
  ])('%s gives no access', async (_, change) => {
    const own = await anIntent(host);
    const answer = await confirm(change(own, await anIntent(host)));
    expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
    expect([(await read(host, own.id)).status, await operationsOf(host, own.id)]).toEqual(['created', []]);
  });

  it('gives no access with the public key of another organization', async () => {
    const intent = await anIntent(host);
    const answer = await confirm(intent, {}, { key: await publicKeyOf(await anOrganization(host)) });
    expect([answer.status, answer.body, (await read(host, intent.id)).status]).toEqual([404, NOT_FOUND, 'created']);
  });

  it('is compared in constant time', async () => {
    const intent = await anIntent(host);
    const wrong = altered(intent.client_secret, intent.client_secret.length - 1);
    const compared = watchComparisons();
    await confirm({ ...intent, client_secret: wrong });
    const secretPart = (clientSecret: string) => clientSecret.split('_secret_').at(-1);
    expect(compared).toContainEqual([secretPart(wrong), secretPart(intent.client_secret)]);
  });
});

/** The constant-time comparisons of Node.js from now on. */
function watchComparisons(): readonly (readonly string[])[] {
  const compared: string[][] = [];
  const { timingSafeEqual } = crypto;
  const put = (compare: typeof timingSafeEqual) => {
    crypto.timingSafeEqual = compare;
    syncBuiltinESMExports();
  };
  put((a, b) => {
    compared.push([a, b].map((bytes) => Buffer.from(bytes as Uint8Array).toString()));
    return timingSafeEqual(a, b);
  });
  onTestFinished(() => put(timingSafeEqual));
  return compared;
}

describe('an invalid confirmation', () => {
  it.each<readonly [string, Body, readonly string[]]>([
    ['without the client secret', { client_secret: undefined }, ['client_secret']],
    [
      'with a return URL',
      { payment_method: { type: 'card', return_url: 'https://thief.example' } },
      ['payment_method.return_url'],
    ],
    ['with another amount', { amount: 1 }, ['amount']],
    ['with another customer address', { customer_ip: '203.0.113.7' }, ['customer_ip']],
    ['with a method of another type', { payment_method: { type: 'ideal' } }, ['payment_method.type']],
    ['with input that is not text', { input: { otp: ['1'] } }, ['input.otp']],
    ['with unrequested input', { input: { otp: '123456' } }, ['input.otp']],
    ['with a secret that is not text', { client_secret: { $ne: '' }, colour: 'red' }, ['client_secret', 'colour']],
  ])('%s is rejected, and changes nothing', async (_, more, paths) => {
    const intent = await anIntent(host, 'ok', {
      payment_method: { type: 'card', return_url: 'https://shop.example/back' },
    });
    const before = await read(host, intent.id);
    const answer = await confirm(intent, more);
    expect([answer.status, answer.body.code, faultsIn(answer)]).toEqual([400, 'invalid_request', paths]);
    expect([await read(host, intent.id), await operationsOf(host, intent.id)]).toEqual([before, []]);
  });

  it('with a card number is rejected, without repeating the number', async () => {
    const answer = await confirm(await anIntent(host), withToken('4242424242424242'));
    expect(answer).toMatchObject({ status: 400, body: { code: 'raw_card_data' } });
    expect(answer.text).not.toContain('4242');
  });
});

describe('a customer with a next action', () => {
  it("returns to the URL of the shop's server", async () => {
    const intent = await bareIntent({ payment_method: { type: 'card', return_url: 'https://shop.example/back' } });
    const { next_action } = (await confirm(intent, { payment_method: { type: 'card' } })).body;
    const paid = await fetch(next_action.url, {
      method: 'POST',
      body: new URLSearchParams({ do: 'pay' }),
      redirect: 'manual',
    });
    const back = await fetch(paid.headers.get('location') ?? '', { redirect: 'manual' });
    expect(back.headers.get('location')).toBe(`https://shop.example/back?payment_id=${intent.id}&status=succeeded`);
  });

  it('gives the code to the page, which continues with it', async () => {
    const intent = await bareIntent({ currency: 'GHS', method: 'mobile_money', customer_email: 'kim@example.com' });
    const asked = await confirm(intent, {
      payment_method: { type: 'mobile_money', phone: '+233551234987', network: 'vod' },
    });
    expect(asked.body).toMatchObject({ status: 'requires_action', next_action: { type: 'collect', field: 'otp' } });
    expect((await confirm(intent, { input: {} })).body).toEqual(asked.body);
    expect((await confirm(intent, { input: { otp: '123456' } })).body.next_action).toBeNull();
    await host.control('POST', '/psp/complete', { provider: 'paystack', reference: intent.id, outcome: 'succeeded' });
    await drain(host);
    expect([(await read(host, intent.id)).status, (await moneyOf(host, intent.id)).count]).toEqual(['succeeded', 1]);
  });

  it('sees that the page was paid when no callback came', async () => {
    await arrange(host, 'approve', { webhook: 'none' });
    const intent = await bareIntent();
    expect((await confirm(intent)).body.status).toBe('requires_action');
    await complete(host, intent.id, 'succeeded');
    expect((await confirm(intent)).body).toMatchObject({ status: 'succeeded', next_action: null });
  });
});

it('neither the token nor the client secret appears in any response, event, log or file', async () => {
  const token = 'cus_CanaryOfThePage4Kd9';
  const hook = `${host.controlUrl}/receiver/page/hook`;
  await host.call('POST', '/v1/webhooks/config', { url: hook, events: ['*'] });
  const answers: string[] = [];
  const noted = async (asked: Promise<ApiResponse>) => answers.push((await asked).text);
  const intents = await Promise.all(
    ['pm_card_visa', 'decline_lost_card', 'needs_3ds'].map(async (card) => ({ card, ...(await bareIntent()) })),
  );
  for (const intent of intents) {
    const given = { payment_method: { type: 'card', token: { payment_method: intent.card, customer: token } } };
    for (const how of [{}, { idempotencyKey: `canary-${intent.id}` }, { idempotencyKey: `canary-${intent.id}` }])
      await noted(confirm(intent, given, how));
    await noted(confirm(intent, { payment_method: { type: 'card', token, return_url: token } }));
    await noted(confirm({ ...intent, client_secret: `${intent.client_secret}x` }, given));
    await noted(host.call('GET', `/v1/payments/${intent.id}`));
  }
  await drain(host);
  await noted(host.call('GET', '/v1/webhooks/events?limit=200'));
  const places = {
    ...Object.fromEntries(Object.entries(filesIn(host.folder)).filter(([name]) => !name.includes('-simulators'))),
    log: inspect(host.logged, { depth: null, maxStringLength: null }),
    answers: answers.join('\n'),
    deliveries: JSON.stringify(host.receivers.deliveries('page')),
  };
  const secrets = Object.fromEntries(
    intents.map(({ id, client_secret }) => [`secret of ${id}`, client_secret.split('_secret_')[1] ?? '']),
  );
  expect(leaksOf({ token, ...secrets }, places)).toEqual([]);
  expect([places.deliveries, places.answers].every((text) => intents.every(({ id }) => text.includes(id)))).toBe(true);
});
