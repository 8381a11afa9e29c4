import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { FOREIGN_KINDS, type SentCallback, signed } from '#test/http/foreign-kinds.support.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
let shop: TestOrganization;
const connections = new Map<Provider, { readonly credentials: Body; readonly connection: Body }>();

beforeAll(async () => {
  host = await startHost();
  shop = await anOrganization(host);
  for (const provider of PROVIDERS) {
    const credentials: Body = { ...randomCredentials(provider, 'sandbox') };
    connections.set(provider, { credentials, connection: await aConnection(host, shop, { provider, credentials }) });
  }
});
afterAll(() => host?.close());

const bring = (address: string, { body, headers }: SentCallback): Promise<ApiResponse> =>
  host.call('POST', address, body, { key: null, idempotencyKey: null, headers });

const addressOf = (provider: Provider): string => {
  const { pathname, search } = new URL(connections.get(provider)?.connection.callback_url);
  return pathname + search;
};

const foreignOf = async (provider: Provider): Promise<number> => {
  const path = `/v1/connections/${connections.get(provider)?.connection.id}`;
  return (await host.call('GET', path, undefined, { key: shop.key })).body.foreign_events;
};

/** The calls of providers that callbacks cause. */
async function lookUpsWhile(work: () => Promise<unknown>): Promise<number> {
  let calls = 0;
  const stop = host.onCall(({ group, point }) => {
    if (group === 'psp-webhooks' && point === 'psp') calls += 1;
  });
  await work();
  stop();
  return calls;
}

const KINDS = PROVIDERS.flatMap((provider) =>
  Object.entries(FOREIGN_KINDS[provider] ?? {}).map(([kind, event]) => [provider, kind, event] as const),
);

/** PayPal fetches the certificate of a signature and a token of its own. Razorpay keeps ids with the order too. */
const MAX_LOOK_UPS = 4;

describe('at the address of its connection', () => {
  it.each(KINDS)('an event of %s about %s made elsewhere is accepted, and looked up once at most', async (...row) => {
    const [provider, , { body, isUsed = true }] = row;
    const event = signed(provider, connections.get(provider)?.credentials, body, host.clock.now());
    const before = await foreignOf(provider);
    const lookUps = await lookUpsWhile(async () => {
      expect(await bring(addressOf(provider), event)).toMatchObject({ status: 200 });
    });
    expect(lookUps).toBeLessThanOrEqual(MAX_LOOK_UPS);
    expect(await lookUpsWhile(() => bring(addressOf(provider), event))).toBeLessThanOrEqual(
      provider === 'paypal' ? 1 : 0,
    );
    const isProved = !(provider === 'mollie' && body.startsWith('id='));
    expect(await foreignOf(provider)).toBe(before + (isUsed && isProved ? 2 : 0));
  });

  it.each(KINDS)(
    'an event of %s about %s is refused without the right signature, and looks nothing up',
    async (...row) => {
      const [provider, , { body }] = row;
      // Mollie's own callbacks of a charge are unsigned, and change nothing.
      if (provider === 'mollie' && body.startsWith('id=')) return;
      const event = signed(provider, randomCredentials(provider, 'sandbox'), body, host.clock.now());
      const before = await foreignOf(provider);
      const unsigned = { body, headers: { 'content-type': 'application/json' } };
      const lookUps = await lookUpsWhile(async () => {
        for (const forged of [event, unsigned])
          expect(await bring(addressOf(provider), forged)).toMatchObject({
            status: 401,
            body: { code: 'invalid_signature' },
          });
      });
      // The certificate that PayPal's header names is fetched before it can be verified.
      expect(lookUps).toBeLessThanOrEqual(provider === 'paypal' ? 1 : 0);
      expect(await foreignOf(provider)).toBe(before);
    },
  );
});

describe('an event of Adyen, which has no look-up, with a reference of ours', () => {
  it.each([
    ['is asked for again while the payment is new, as its authorization may be under way', HOUR, 25 * HOUR, 400],
    ['is asked for again while it is new itself: an old page may have been paid just before', 25 * HOUR, HOUR / 2, 400],
    ['is of another system that works like this one, later', 25 * HOUR, 2 * HOUR, 200],
    ['is not asked for forever because its time is in the future', 25 * HOUR, -2 * HOUR, 200],
  ])('%s', async (_, age, since, status) => {
    const now = host.clock.now().getTime();
    const attempt = newId('attempt', new Date(now - age));
    const eventDate = new Date(now - since).toISOString();
    for (const kind of ['a chargeback', 'a refund'] as const) {
      const { body = '' } = FOREIGN_KINDS.adyen?.[kind] ?? {};
      for (const reference of [attempt, `${attempt}-page`]) {
        const text = body
          .replace('order-7001', reference)
          .replaceAll('FOREIGNCHARGE001', reference.slice(4, 20))
          .replace(/"eventDate":"[^"]+"/, `"eventDate":"${eventDate}"`);
        const event = signed('adyen', connections.get('adyen')?.credentials, text, host.clock.now());
        expect((await bring(addressOf('adyen'), event)).status, kind).toBe(status);
      }
    }
  });
});

describe("Adyen's webhook for tokens, about a method kept elsewhere", () => {
  it.each([
    ['recurring.token.created', 1],
    ['recurring.token.disabled', 0],
  ])('is accepted with its own signature alone: %s', async (type, counted) => {
    const { webhook_secret } = connections.get('adyen')?.credentials ?? {};
    const data = {
      merchantAccount: 'ShopCOM',
      shopperReference: 'shopper-7',
      storedPaymentMethodId: 'M5N7TQ4TG5PFWR50',
    };
    const body = JSON.stringify({ type, eventId: 'FOREIGNCHARGE009', environment: 'test', data });
    const hmacsignature = createHmac('sha256', Buffer.from(webhook_secret, 'hex')).update(body).digest('base64');
    const before = await foreignOf('adyen');
    const headers = { 'content-type': 'application/json' };
    expect((await bring(addressOf('adyen'), { body: `${body} `, headers: { ...headers, hmacsignature } })).status).toBe(
      401,
    );
    expect((await bring(addressOf('adyen'), { body, headers })).status).toBe(401);
    expect(await foreignOf('adyen')).toBe(before);
    expect((await bring(addressOf('adyen'), { body, headers: { ...headers, hmacsignature } })).status).toBe(200);
    expect(await foreignOf('adyen')).toBe(before + counted);
  });
});

describe('at the address of its provider alone', () => {
  it.each(KINDS)('an event of %s about %s made elsewhere gets the response of the specification', async (...row) => {
    const [provider, , { body, isUsed = true }] = row;
    const event = signed(provider, connections.get(provider)?.credentials, body, host.clock.now());
    const answer = await bring(`/webhooks/${provider}`, event);
    expect(answer.status).toBe(isUsed && provider !== 'mollie' ? 400 : 200);
    if (answer.status === 400) expect(answer.body.code).toBe('webhook_unroutable');
  });
});
