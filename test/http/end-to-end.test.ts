import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { anOrganization, aPaymentBody, type Body, type TestOrganization } from '#test/support/host.ts';
import { verified } from '#test/support/standard-webhooks.ts';

const CREDENTIALS = { secret_key: 'sk_test_endToEnd51H', webhook_secret: 'whsec_endToEnd7Kq' };

type Sent = {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly key: unknown;
  readonly form: Readonly<Record<string, string>>;
};

/** Sits between the service and the simulator and records the requests to Stripe. */
const sent: Sent[] = [];
const wire = createServer(async (message, response) => {
  const body = Buffer.concat(await message.toArray()).toString();
  const {
    authorization = '',
    'idempotency-key': key,
    'stripe-version': version = '',
    'content-type': type = 'text/plain',
  } = message.headers;
  sent.push({
    path: `${message.method} ${message.url}`,
    authorization,
    key,
    form: Object.fromEntries(new URLSearchParams(body)),
  });
  const headers = {
    authorization,
    'stripe-version': String(version),
    ...(key && { 'idempotency-key': String(key), 'content-type': type }),
  };
  const reply = await fetch(`${host.info.simulators}/stripe${message.url}`, {
    method: message.method,
    headers,
    ...(body && { body }),
  });
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
});

let host: WatchedHost;
let org: TestOrganization;
let signingSecret: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => void wire.listen(0, '127.0.0.1', resolve));
  const address = wire.address();
  host = await startWatchedHost({
    rateLimits: true,
    pspUrls: { stripe: `http://127.0.0.1:${typeof address === 'object' && address?.port}` },
  });
  org = await anOrganization(host);
  await host.call(
    'POST',
    '/v1/connections',
    { id: 'main', provider: 'stripe', credentials: CREDENTIALS },
    { key: org.key },
  );
  const hook = `${host.controlUrl}/receiver/shop/hook`;
  signingSecret = (await host.call('POST', '/v1/webhooks/config', { url: hook, events: ['*'] }, { key: org.key })).body
    .signing_secret;
});
afterAll(async () => {
  await host?.close();
  wire.closeAllConnections();
  wire.close();
});

describe.each(['X-Service-Key', 'Bearer'])('a payment that is created with a key as %s', (form) => {
  const headers = (): Record<string, string> =>
    form === 'Bearer' ? { authorization: `Bearer ${org.key}` } : { 'x-service-key': org.key, 'x-org-id': org.org_id };
  const call = (method: string, path: string, body?: unknown) =>
    host.call(method, path, body, { key: null, headers: headers() });

  it('is routed, charged, stored, confirmed by a signed callback and announced by signed events', async () => {
    const created = await call(
      'POST',
      '/v1/payments',
      aPaymentBody('pending', { amount: 1_999, customer_id: 'cus_1', metadata: { order: form } }),
    );
    expect([created.status, created.body.status, created.body.connection_id]).toEqual([201, 'processing', 'main']);
    const { id, attempts } = created.body;

    const charge = sent.findLast(({ path }) => path === 'POST /v1/payment_intents');
    expect(charge).toMatchObject({ authorization: `Bearer ${CREDENTIALS.secret_key}`, key: attempts[0].id });
    expect(charge?.form).toMatchObject({
      amount: '1999',
      currency: 'eur',
      'metadata[org_id]': org.org_id,
      'metadata[connection_id]': 'main',
      'metadata[payment_id]': id,
    });
    const stored = (await host.stored()).join('\n');
    expect([stored.includes(id), ...Object.values(CREDENTIALS).map((secret) => stored.includes(secret))]).toEqual([
      true,
      false,
      false,
    ]);

    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    await host.drain();
    expect(sent.at(-1)?.path).toMatch(/^GET \/v1\/payment_intents\/pi_/);
    expect((await call('GET', `/v1/payments/${id}`)).body).toMatchObject({
      id,
      status: 'succeeded',
      amount: 1_999,
      provider: 'stripe',
      failure: null,
    });
    expect(host.simulators.calls({ payment_id: id }).charges[id]).toEqual({
      amount: 1_999,
      refunded: 0,
      currency: 'EUR',
      count: 1,
    });

    const deliveries = host.receivers.deliveries('shop').filter(({ raw_body }) => JSON.parse(raw_body).data.id === id);
    const events = deliveries.map((delivery) => taken(delivery));
    expect(events.map(({ type }) => type).toSorted()).toEqual(['payment.created', 'payment.succeeded']);
    const paid = events.find(({ type }) => type === 'payment.succeeded');
    expect(paid).toMatchObject({
      org_id: org.org_id,
      data: {
        id,
        amount: 1_999,
        currency: 'EUR',
        status: 'succeeded',
        provider: 'stripe',
        customer_id: 'cus_1',
        metadata: { order: form },
      },
    });
  });
});

/** The event, if it passes all checks of a careful webhook endpoint. */
function taken({
  headers,
  raw_body,
}: {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw_body: string;
}): Body {
  const event = JSON.parse(raw_body);
  expect(verified(signingSecret, raw_body, headers, host.clock.now())).toEqual(event);
  expect(headers['x-service-signature']).toBe(
    `sha256=${createHmac('sha256', signingSecret).update(raw_body).digest('hex')}`,
  );
  expect([headers['x-service-event-id'], headers['webhook-id'], headers['webhook-timestamp']]).toEqual([
    event.id,
    event.id,
    String(event.timestamp),
  ]);
  expect(Math.abs(host.clock.now().getTime() / 1_000 - event.timestamp)).toBeLessThan(300);
  return event;
}
