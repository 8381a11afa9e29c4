import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { anIntent, moneyOf, read } from '#test/support/payment-steps.ts';

/** A shop's own page, of another origin than ours, that confirms what the shop's server prepared. */
let host: TestHost;
let shop: Server;
beforeAll(async () => {
  host = await startHost();
  shop = createServer((_, reply) =>
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>'),
  );
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  shop?.close();
  await host?.close();
});

/** A name that the browser takes for this machine, and we for no dashboard's. */
const addressOfShop = (): string => `http://shop.localhost:${(shop.address() as AddressInfo).port}/`;

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
};

/** What a script of the page gets to know of an answer, or of its refusal. */
const fetched = (page: Page, { path, body, ...asked }: Asked): Promise<Body> =>
  page.evaluate(
    async ({ url, init }) => {
      try {
        const answer = await fetch(url, init);
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.json() };
      } catch (error) {
        return { refused: String(error) };
      }
    },
    { url: host.info.api + path, init: { ...asked, ...(body !== undefined && { body: JSON.stringify(body) }) } },
  );

browserSuite('a page of a shop, in a browser', (browser) => {
  let page: Page;
  beforeAll(async () => {
    page = await browser().newPage();
    await page.goto(addressOfShop());
  });

  const bearer = (key = host.info.keys.public) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  });
  const confirm = (
    { id, client_secret }: Body,
    headers: Readonly<Record<string, string>> = bearer(),
    more: Body = {},
  ) =>
    fetched(page, {
      method: 'POST',
      path: `/v1/payments/${id}/confirm-intent`,
      headers,
      body: { client_secret, ...more },
    });

  it('confirms an intent, and reads the answer and its headers', async () => {
    const intent = await anIntent(host);
    const headers = {
      'x-service-key': host.info.keys.public,
      'x-org-id': host.info.org_id,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const first = await confirm(intent, headers);
    expect(first).toMatchObject({ status: 200, body: { id: intent.id, status: 'succeeded' } });
    expect(first.headers).toMatchObject({
      'x-request-id': expect.any(String),
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': expect.any(String),
    });
    const again = await confirm(intent, headers);
    expect([again.body, again.headers['idempotency-replayed'], (await moneyOf(host, intent.id)).count]).toEqual([
      first.body,
      'true',
      1,
    ]);
  });

  it('sends the customer to the provider and back to the shop', async () => {
    const intent = await anIntent(host, 'ok', {
      payment_method: { type: 'card', return_url: `${addressOfShop()}thanks` },
    });
    const { next_action } = (await confirm(intent)).body;
    await page.goto(next_action.url);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${addressOfShop()}thanks?payment_id=${intent.id}&status=succeeded`);
    expect((await read(host, intent.id)).status).toBe('succeeded');
  });

  it('reads why it was refused', async () => {
    const intent = await anIntent(host);
    expect(await confirm(intent, bearer('pk_sandbox_wrong'))).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    });
    expect(await confirm({ ...intent, client_secret: 'wrong' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await confirm(intent, bearer(), { colour: 'red' })).toMatchObject({
      status: 400,
      body: { details: { fields: [{ path: 'colour' }] } },
    });
  });

  it.each<readonly [string, () => Asked]>([
    ['the list of payments with the public key', () => ({ method: 'GET', path: '/v1/payments', headers: bearer() })],
    [
      'it with a key of the server, which it should not have',
      () => ({ method: 'GET', path: '/v1/payments', headers: bearer(host.info.keys.secret) }),
    ],
    ['it without a preflight', () => ({ method: 'GET', path: '/v1/payments', headers: {} })],
  ])('may not read %s', async (_, asked) => {
    expect(await fetched(page, asked())).toEqual({ refused: expect.stringContaining('Failed to fetch') });
  });

  it('may not make payments, whatever key it has', async () => {
    const headers = { ...bearer(host.info.keys.secret), 'idempotency-key': randomUUID() };
    const before = (await host.call('GET', '/v1/payments?limit=1')).body.payments[0].id;
    const asked = { method: 'POST', path: '/v1/payments', headers, body: { amount: 1, currency: 'EUR' } };
    expect(await fetched(page, asked)).toEqual({ refused: expect.stringContaining('Failed to fetch') });
    expect((await host.call('GET', '/v1/payments?limit=1')).body.payments[0].id).toBe(before);
  });
});
