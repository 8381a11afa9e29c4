import { cpSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aShop, type Server, type Shop } from '#test/http/client/shop.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let shop: Shop;
let server: Server;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop();
  cpSync('examples', shop.folder, { recursive: true });
  const { secret, public: publicKey } = host.info.keys;
  const env = { PAYFORK_URL: host.info.api, PAYFORK_KEY: secret, PAYFORK_PUBLIC_KEY: publicKey };
  server = await shop.start('checkout/server.js', env);
});
afterAll(async () => {
  server?.stop();
  shop?.remove();
  await host?.close();
});

const newest = async (): Promise<Body> => (await host.call('GET', '/v1/payments?limit=1')).body.payments[0];

browserSuite('the checkout example, in a browser', (browser) => {
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    page = await browser().newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
  });

  const pay = async (card: string): Promise<void> => {
    await page.goto(server.url);
    await page.getByLabel('Test card').selectOption(card);
    await page.getByRole('button', { name: 'Pay' }).click();
  };

  it('takes a payment with a public key, and thanks for what the server was told', async () => {
    await pay('is accepted');
    await page.waitForURL(/\/thanks\?payment_id=/);
    expect(await page.textContent('body')).toContain('Payment succeeded');
    expect(await page.textContent('body')).toContain('€49.00');
    expect(await newest()).toMatchObject({ status: 'succeeded', amount: 4_900, currency: 'EUR' });
  });

  it('says why a card is declined, and lets the customer try another', async () => {
    await pay('has no money');
    await page.getByText('The payment failed: ').waitFor();
    expect(await page.getByRole('button', { name: 'Pay' }).isEnabled()).toBe(true);
    expect((await newest()).status).toBe('failed');
  });

  it('sends the customer through 3-D Secure and back', async () => {
    await pay('asks for a confirmation');
    await page.waitForURL((url) => url.origin !== new URL(server.url).origin);
    await page.getByRole('button').first().click();
    await page.waitForURL(/\/thanks\?payment_id=/);
    expect(await page.textContent('body')).toContain('Payment succeeded');
  });

  it('holds no secret key in what it loads', async () => {
    const loaded: string[] = [];
    page.on('response', async (response) => loaded.push(await response.text().catch(() => '')));
    await pay('is accepted');
    await page.waitForURL(/\/thanks\?payment_id=/);
    await expect.poll(() => loaded.join()).toContain(host.info.keys.public);
    expect(loaded.join()).not.toContain(host.info.keys.secret);
    expect(faults).toEqual([]);
  });
});
