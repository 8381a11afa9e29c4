import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { anIntent, moneyOf, read } from '#test/support/payment-steps.ts';

/** A shop's own page, on another origin, that confirms intents which the shop's server created. */
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

/** A host name that the browser resolves to this machine, and that is not an allowed dashboard origin. */
const shopUrl = (): string => `http://shop.localhost:${(shop.address() as AddressInfo).port}/`;

type PageRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
};

/** What a script of the page can read of a response, or of a refusal. */
const fetched = (page: Page, { path, body, ...init }: PageRequest): Promise<Body> =>
  page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init);
        const headers = Object.fromEntries(response.headers);
        return { status: response.status, headers, body: await response.json() };
      } catch (error) {
        return { refused: String(error) };
      }
    },
    { url: host.info.api + path, init: { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) } },
  );

browserSuite('a page of a shop, in a browser', (browser) => {
  let page: Page;
  beforeAll(async () => {
    page = await browser().newPage();
    await page.goto(shopUrl());
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

  it('confirms an intent, and can read the response and its headers', async () => {
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
      payment_method: { type: 'card', return_url: `${shopUrl()}thanks` },
    });
    const { next_action } = (await confirm(intent)).body;
    await page.goto(next_action.url);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shopUrl()}thanks?payment_id=${intent.id}&status=succeeded`);
    expect((await read(host, intent.id)).status).toBe('succeeded');
  });

  it('can read why a request was refused', async () => {
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

  it.each<readonly [string, () => PageRequest]>([
    ['the list of payments with the public key', () => ({ method: 'GET', path: '/v1/payments', headers: bearer() })],
    [
      'the list of payments with a key of the server, which it should not have',
      () => ({ method: 'GET', path: '/v1/payments', headers: bearer(host.info.keys.secret) }),
    ],
    ['the list of payments without a preflight', () => ({ method: 'GET', path: '/v1/payments', headers: {} })],
  ])('cannot read %s', async (_, request) => {
    expect(await fetched(page, request())).toEqual({ refused: expect.stringContaining('Failed to fetch') });
  });

  it('cannot create payments, whatever key it has', async () => {
    const headers = { ...bearer(host.info.keys.secret), 'idempotency-key': randomUUID() };
    const before = (await host.call('GET', '/v1/payments?limit=1')).body.payments[0].id;
    const request = { method: 'POST', path: '/v1/payments', headers, body: { amount: 1, currency: 'EUR' } };
    expect(await fetched(page, request)).toEqual({ refused: expect.stringContaining('Failed to fetch') });
    expect((await host.call('GET', '/v1/payments?limit=1')).body.payments[0].id).toBe(before);
  });
});
