import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#shared/kernel/clock.ts';
import { aShop, run, type Shop } from '#test/http/client/shop.support.ts';
import { aConnection, aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';

const EXAMPLES = 'examples';
const MAX_LINES = 60;

let host: TestHost;
let shop: Shop;
beforeAll(async () => {
  // What runs in processes of its own goes by the system's clock.
  host = await startHost({ realTime: systemClock });
  shop = await aShop('express', 'hono', '@types');
  cpSync(EXAMPLES, shop.folder, { recursive: true });
});
afterAll(async () => {
  shop?.remove();
  await host?.close();
});

const sources = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
const call = async (method: string, path: string, body?: Body): Promise<Body> =>
  (await host.call(method, path, body)).body;

describe('the examples', () => {
  it.each(sources)(`%s can be read in two minutes: it has at most ${MAX_LINES} lines`, (name) => {
    expect(readFileSync(join(EXAMPLES, name), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it('use the client as its types allow', async () => {
    const options = ['--allowJs', '--checkJs', '--noImplicitAny', 'false', '--skipLibCheck', '--types', 'node'];
    const onServers = sources.filter((name) => name !== 'checkout/page.js');
    expect(await shop.typeErrors(onServers, ...options)).toBe('');
    // Without a framework a page looks for its elements, and no type knows that they are there.
    const inPage = [...options, '--strictNullChecks', 'false', '--exactOptionalPropertyTypes', 'false'];
    expect(await shop.typeErrors(['checkout/page.js'], ...inPage)).toBe('');
  });
});

/** Where Hono runs, the runtime makes requests of the web of what comes. Node.js leaves that to a package. */
async function startHono(env: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { default: app } = await import(/* @vite-ignore */ pathToFileURL(join(shop.folder, 'webhooks/hono.js')).href);
  const server = createServer(async (message, response) => {
    const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = new Uint8Array(await buffer(message));
    const reply: Response = await app.fetch(new Request('http://shop/', { method: 'POST', headers, body }));
    response.writeHead(reply.status).end(await reply.text());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** An endpoint that runs, and what it has printed so far. */
async function start(name: string, secret: string): Promise<{ readonly url: string; readonly printed: () => string }> {
  const env = { SIGNING_SECRET: secret };
  if (name !== 'hono') {
    const server = await shop.start(`webhooks/${name}.js`, env);
    onTestFinished(server.stop);
    return server;
  }
  const printed: string[] = [];
  const spies = (['log', 'error'] as const).map((kind) =>
    vi.spyOn(console, kind).mockImplementation((text: unknown) => void printed.push(String(text))),
  );
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
  return { url: await startHono(env), printed: () => printed.join('\n') };
}

describe('the webhook endpoint', () => {
  it.each(['node', 'express', 'hono'])(
    'with %s takes the events of the service once each, and no others',
    async (name) => {
      const { body: merchant } = await host.control('POST', '/organizations', { name, legal_name: `${name} Ltd` });
      const config = async (url: string): Promise<Body> =>
        (await host.call('POST', '/v1/webhooks/config', { url, events: ['payment.succeeded'] }, merchant)).body;
      const { signing_secret: secret } = await config(`${host.controlUrl}/receiver/${name}/hook`);
      const { url, printed } = await start(name, secret);
      await config(url);

      await aConnection(host, merchant);
      await host.call('POST', '/v1/payments', aPaymentBody('ok', { metadata: { order: `chair-${name}` } }), merchant);
      await expect.poll(printed).toContain(`Ship order chair-${name}: 5000 EUR are paid.`);
      // The endpoint prints before it answers: a replay before the answer would be the delivery that is under way.
      await host.drain();
      const { events } = (await host.call('GET', '/v1/webhooks/events', undefined, merchant)).body;
      const sent = events.find(({ type }: Body) => type === 'payment.succeeded');
      await host.call('POST', `/v1/webhooks/events/${sent.id}/replay`, undefined, merchant);
      await host.drain();
      const { attempts } = (await host.call('GET', `/v1/webhooks/events/${sent.id}`, undefined, merchant)).body;
      expect(attempts.map((attempt: Body) => attempt.status_code)).toEqual([204, 204]);
      expect(printed().match(/Ship order/g)?.length).toBe(1);

      const forged = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(sent),
        headers: { 'webhook-id': sent.id },
      });
      expect(forged.status).toBe(400);
    },
  );
});

describe('the subscription', () => {
  it('begins with a payment whose card is kept, charges it a month later, and ends when the customer leaves', async () => {
    const env = { PAYFORK_URL: host.info.api, PAYFORK_KEY: host.info.keys.secret };
    const { stdout } = await run(process.execPath, [join(shop.folder, 'subscription/subscribe.js'), 'cancel'], { env });
    const [, id = ''] = /Subscription (sub_\w+) is active/.exec(stdout) ?? [];
    expect(stdout).toMatch(/^customer-[\w-]+ paid 1500 EUR\.\n/);
    expect(stdout.match(/^At \S+: 1500 EUR$/gm)?.length).toBeGreaterThan(0);
    expect(await call('GET', `/v1/subscriptions/${id}`)).toMatchObject({ cancel_at_period_end: true });
  });

  it('is charged with the kept card, as long as nobody ends it', async () => {
    const env = { PAYFORK_URL: host.info.api, PAYFORK_KEY: host.info.keys.secret };
    const { stdout } = await run(process.execPath, [join(shop.folder, 'subscription/subscribe.js')], { env });
    const [, id = ''] = /Subscription (sub_\w+) is active/.exec(stdout) ?? [];
    await host.control('POST', '/clock', { advance: '32d' });
    const { invoices } = await call('GET', `/v1/invoices?subscription_id=${id}`);
    expect(invoices).toMatchObject([{ status: 'paid', amount: 1_500 }]);
  });
});
