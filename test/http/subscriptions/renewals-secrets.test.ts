import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, leaksOf } from '#test/faults/canary.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { endSubscriptions, paymentsOf, subscribe, subscriptionOf } from '#test/support/billing.ts';
import { storedInEmulator } from '#test/support/emulated-items.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

/** Only the provider sees the payment method, through all charges and failures. */
const SECRETS = {
  'customer of a card': 'cus_CanaryRenewal5Zt8',
  'customer of the next card': 'cus_CanaryRenewal2Kq7',
  'bare token': 'pm_card_canaryBareToken9Lw3',
  'token that pays once': 'pm_1CanaryOnce4Vx8Rt6',
  'shopper of another provider': 'shopper-CanaryRenewal8Hd2',
  phone: '+49 151 (555) 0188-66',
} as const;

const card = (payment_method = 'pm_card_visa', customer: string = SECRETS['customer of a card']) => ({
  type: 'card',
  tokens: {
    stripe: { payment_method, customer },
    adyen: { storedPaymentMethodId: 'ok', shopperReference: SECRETS['shopper of another provider'] },
  },
  phone: SECRETS.phone,
  return_url: 'https://shop.example/back',
});
const bare = (token: string) => ({ type: 'card', token, phone: SECRETS.phone });

let watched: WatchedHost;
/** The same, and records all responses. */
let host: TestHost;
let shop: TestOrganization;
const answers: string[] = [];
const noted = (answer: ApiResponse): ApiResponse => {
  answers.push(`${answer.text}\n${[...answer.headers].join('\n')}`);
  return answer;
};

beforeAll(async () => {
  watched = await startWatchedHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
  host = {
    ...watched,
    call: async (...asked) => noted(await watched.call(...asked)),
    control: async (...asked) => noted(await watched.control(...asked)),
  };
  shop = await anOrganization(host);
  await aConnection(host, shop, { id: 'main' });
  await host.call(
    'POST',
    '/v1/webhooks/config',
    { url: `${host.controlUrl}/receiver/billing/hook`, events: ['*'] },
    shop,
  );
  answers.length = 0;
});
afterAll(() => watched?.close());

const deliveries = () =>
  host.receivers.deliveries('billing').map(({ raw_body, headers }) => `${raw_body}\n${JSON.stringify(headers)}`);

/** Everything that others can read. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  return {
    ...filesIn(watched.folder),
    ...(await storedInEmulator(watched.folder)),
    ...(await outside()),
  };
}

const outside = async (): Promise<Readonly<Record<string, string>>> => ({
  'the log':
    inspect(host.logged, { depth: null, maxStringLength: null, showHidden: true }) + JSON.stringify(host.logged),
  'what was answered': answers.join('\n'),
  'what was delivered': deliveries().join('\n'),
  'what the provider noted': JSON.stringify(host.simulators.calls({})),
});

/** A provider's simulator stores its own customers in plain text. */
const PROVIDERS_OWN = /^customer of [^:]* in sandbox\S*-simulators/;
const leaks = async () => leaksOf(SECRETS, await everything()).filter((leak) => !PROVIDERS_OWN.test(leak));
/** The sealed payment methods in the store. */
const seals = async (): Promise<readonly string[]> => {
  const lines = await watched.stored();
  return [
    ...new Set(lines.flatMap((line) => [...line.matchAll(/"sealed_method":"([^"]+)"/g)].map(([, seal = '']) => seal))),
  ];
};

const change = (subscription: Body, payment_method: Body) =>
  host.call('PATCH', `/v1/subscriptions/${subscription.id}`, { payment_method }, shop);
const advance = (by: string) => host.control('POST', '/clock', { advance: by });
const scenario = (behaviour: string, more: Body = {}) =>
  host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour, times: 1, ...more });
const outcomes = async (subscription: Body) =>
  (await paymentsOf(host, subscription, shop)).map(({ status, failure }) => failure?.code ?? status);

describe('no payment method of a subscription appears in files, logs, responses, events or deliveries', () => {
  it.each<readonly [string, string, () => Promise<Body>]>([
    ['a first charge and a renewal', 'succeeded succeeded', () => subscribe(host, { payment_method: card() }, shop)],
    [
      'declines, until no try is left',
      'insufficient_funds',
      () => subscribe(host, { payment_method: card('decline_insufficient_funds') }, shop),
    ],
    [
      'a card that is refused for good',
      'stolen_card',
      () => subscribe(host, { payment_method: card('decline_stolen_card') }, shop),
    ],
    [
      'questions to the customer that she never answers',
      'expired',
      () => subscribe(host, { payment_method: card('needs_3ds') }, shop),
    ],
    [
      'a bare token that the provider does not know',
      'invalid_payment_method',
      () => subscribe(host, { payment_method: bare(SECRETS['bare token']) }, shop),
    ],
    [
      'a token that pays once',
      'no_route',
      () => subscribe(host, { payment_method: bare(SECRETS['token that pays once']) }, shop),
    ],
    [
      'a provider that never answers',
      'succeeded succeeded',
      async () => {
        await scenario('timeout_after_charge', { webhook: 'none' });
        return subscribe(host, { payment_method: card() }, shop);
      },
    ],
    [
      'a provider that answers garbage',
      'succeeded succeeded',
      async () => {
        await scenario('garbage');
        return subscribe(host, { payment_method: card() }, shop);
      },
    ],
    [
      'a vault that breaks in the worker',
      'succeeded succeeded',
      async () => {
        for (const nth of [1, 3])
          await host.control('POST', '/faults', {
            point: 'vault',
            nth,
            kind: 'error',
            when: 'after',
            handler: 'renewals',
          });
        return subscribe(host, { payment_method: card() }, shop);
      },
    ],
    [
      'another card',
      'succeeded succeeded',
      async () => {
        const subscription = await subscribe(host, { payment_method: card() }, shop);
        expect(
          (await change(subscription, card('pm_card_mastercard', SECRETS['customer of the next card']))).status,
        ).toBe(200);
        return subscription;
      },
    ],
  ])('after %s', async (_, expected, begin) => {
    const subscription = await begin();
    await advance('32d');
    await host.control('DELETE', '/faults');
    await host.control('DELETE', '/psp/scenario');
    expect((await outcomes(subscription)).join(' ')).toBe(expected);
    await subscriptionOf(host, subscription, shop);
    await host.call('GET', `/v1/subscriptions?customer_id=${subscription.customer_id}`, undefined, shop);
    await host.call('GET', '/v1/webhooks/events?limit=200', undefined, shop);
    const sealed = await seals();
    expect(sealed.length).toBeGreaterThan(0);
    await endSubscriptions(host, shop);
    expect(await leaks()).toEqual([]);
    expect(leaksOf(Object.fromEntries(sealed.map((seal, n) => [`seal ${n}`, seal])), await outside())).toEqual([]);
  });

  it('after rejected payment methods', async () => {
    const subscription = await subscribe(host, { payment_method: card() }, shop);
    for (const payment_method of [
      { type: 'sepa_debit', tokens: { stripe: SECRETS['bare token'], nobody: SECRETS['token that pays once'] } },
      { type: 'card', token: 7, phone: [SECRETS.phone] },
      { type: 'card', [SECRETS['bare token']]: SECRETS.phone },
    ]) {
      const answer = await change(subscription, payment_method);
      expect(answer.status).toBe(400);
      // The client chooses field names, so an unknown one is named in the error.
      answers.pop();
      expect(leaksOf({ phone: SECRETS.phone, once: SECRETS['token that pays once'] }, { answer: answer.text })).toEqual(
        [],
      );
    }
    await endSubscriptions(host, shop);
    expect(await leaks()).toEqual([]);
  });

  it('and the search covered places with data', async () => {
    const places = await everything();
    for (const place of ['what was answered', 'what was delivered']) {
      for (const id of [/sub_[0-9a-z]{26}/, /inv_[0-9a-z]{26}/, /pay_[0-9a-z]{26}/])
        expect(places[place], place).toMatch(id);
    }
    expect(places['what was delivered']).toContain('subscription.renewed');
    expect(places['what the provider noted']).toMatch(/pay_[0-9a-z]{26}/);
    expect(places['the log']).toContain('psp_called');
  });
});
