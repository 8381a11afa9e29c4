import { afterAll, beforeAll, expect, it } from 'vitest';
import { aCustomer, accessibilityFaults, DESKTOP, overflows, SMALL_PHONE } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aGuest, aLink, providerUrl } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';

const PROVIDERS = [
  ['adyen', 'Adyen', 'EUR', 'DE'],
  ['checkout', 'Checkout.com', 'EUR', 'DE'],
  ['flutterwave', 'Flutterwave', 'NGN', 'NG'],
  ['mollie', 'Mollie', 'EUR', 'DE'],
  ['paypal', 'PayPal', 'EUR', 'DE'],
  ['paystack', 'Paystack', 'NGN', 'NG'],
  ['razorpay', 'Razorpay', 'INR', 'IN'],
  ['stripe', 'Stripe', 'EUR', 'DE'],
] as const;

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: PROVIDERS.map(([provider]) => provider) });
});
afterAll(() => host?.close());

/** The page of this provider, where a customer pays. */
async function pageOf(provider: string, currency: string, country: string): Promise<string> {
  const { connections } = (await host.call('GET', '/v1/connections')).body;
  for (const each of connections as Body[]) {
    const status = each.provider === provider ? 'active' : 'inactive';
    await host.call('POST', '/v1/connections', { id: each.id, provider: each.provider, status });
  }
  const methods = [provider === 'paypal' ? 'wallet' : 'card'];
  const link = await aLink(host, { currency, amount: 500_000, methods });
  const visitor = aGuest(host);
  const form = await visitor.open(link.url);
  return providerUrl(await visitor.submit(form, 'start', { country, email: 'ada@example.com' }));
}

browserSuite('the simulated page of a provider', (browser) => {
  it.each(PROVIDERS)('of %s names %s, fits on a phone and a desktop, and loads nothing', async (...about) => {
    const [provider, name, currency, country] = about;
    const url = await pageOf(provider, currency, country);
    for (const [device, colorScheme] of [
      [SMALL_PHONE, 'dark'],
      [DESKTOP, 'light'],
    ] as const) {
      const page = await aCustomer(browser(), { ...device, colorScheme });
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      await page.goto(url);
      expect(loaded.filter((each) => each !== url && !each.endsWith('/favicon.ico'))).toEqual([]);
      expect(await page.title()).toContain(name);
      await page.getByText(name, { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
      const box = await page.getByRole('heading', { level: 1 }).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(16);
      expect([await overflows(page), await accessibilityFaults(page)]).toEqual([false, []]);
    }
  });

  it('says that it is closed or does not exist, and has a HEAD', async () => {
    const url = await pageOf('stripe', 'EUR', 'DE');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const page = await aCustomer(browser(), SMALL_PHONE);
    await page.goto(url);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.goto(url);
    expect(await page.getByRole('heading').textContent()).toBe('This page is closed');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(url.replace(/[^/]+$/, 'nothing'));
    expect(await page.getByRole('heading').textContent()).toBe('Not found');
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
