import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DESK, takeScreenshot, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { aCustomer, accessibilityFaults, overflows, PHONE } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

/** One of each kind. */
const PAGES = ['', '/guides/first-payment', '/api/search', '/test-tokens', '/control-server'];
const WIDTHS = [
  ['a desk', DESK],
  ['a phone', PHONE],
] as const;

browserSuite('the documentation in a browser', (browser) => {
  const address = (path: string): string => `${host.deps.config.pagesUrl}/docs${path}`;

  async function open(path: string, options: BrowserContextOptions = DESK): Promise<Page> {
    const page = await aCustomer(browser(), options);
    await page.goto(address(path));
    return page;
  }

  it.each(
    WIDTHS.flatMap(([name, options]) => (['light', 'dark'] as const).map((theme) => [name, theme, options] as const)),
  )(
    'fits on %s in %s mode, and passes the accessibility check',
    async (name, colorScheme, options) => {
      const page = await aCustomer(browser(), { ...options, colorScheme });
      const faults: string[] = [];
      for (const path of PAGES) {
        await page.goto(address(path));
        if (await overflows(page)) faults.push(`${path} scrolls sideways`);
        for (const fault of await accessibilityFaults(page)) faults.push(`${path} ${fault}`);
        await takeScreenshot(page, `docs-${path.slice(1).replaceAll('/', '-') || 'start'}-${name}-${colorScheme}`);
      }
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it('finds a page by the keyboard alone, and loads the index at the first key press', async () => {
    const page = await open('');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.keyboard.press('/');
    expect(loaded).toEqual([]);
    await page.keyboard.type('idempotency_in_pro');
    await page.locator('#search-results [aria-selected="true"]').waitFor();
    expect(loaded.filter((path) => path.endsWith('.json'))).toHaveLength(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(address('/errors#idempotency_in_progress'));
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  it('remembers the language of the examples, on every page', async () => {
    const page = await open('');
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await page.goto(address('/api/payments#createPayment'));
    const entry = page.locator('#createPayment');
    await entry.getByText('payfork.payments.create(').waitFor();
    expect(await entry.getByRole('tabpanel', { name: 'curl' }).isVisible()).toBe(false);
    await entry.getByRole('tab', { name: 'TypeScript' }).press('ArrowLeft');
    expect(await entry.getByRole('tab', { name: 'curl' }).getAttribute('aria-selected')).toBe('true');
  });

  it('has the demo key in its examples, so that a copied one works', async () => {
    const page = await open('');
    await page.getByText('Key filled in').waitFor();
    const command = await page.locator('.sample code').first().textContent();
    expect(command).toContain(`Bearer ${host.info.keys.secret}`);
    await page.locator('[data-opens="reader-key"]').click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    expect(await page.locator('.sample code').first().textContent()).toContain('sk_sandbox_YOUR_KEY');
    await page.getByLabel('Or paste a sandbox key').fill('sk_live_0123456789');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('This is no secret key of the sandbox.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('makes a sandbox key for a person who is signed in, for this tab only', async () => {
    const person = await theOwner(host);
    const context = await browser().newContext(DESK);
    onTestFinished(() => context.close());
    const [name = '', value = ''] = person.cookie.split('=');
    await context.addCookies([
      { name, value, url: host.deps.config.pagesUrl, httpOnly: true, secure: true, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    await page.goto(address('/errors'));
    await page.locator('[data-opens="reader-key"]').click();
    await page.getByRole('button', { name: 'Make a key for these examples' }).click();
    await page.getByText('The examples have the new key').waitFor();
    await page.goto(address(''));
    const [, key = ''] =
      /Bearer (sk_sandbox_\w+)/.exec((await page.locator('.sample code').first().textContent()) ?? '') ?? [];
    expect(key).not.toBe(host.info.keys.secret);
    expect((await host.call('GET', '/v1/payments', undefined, { key })).status).toBe(200);
    expect((await host.call('GET', '/v1/api-keys', undefined, { key })).status).toBe(403);
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(key);
  });

  it('sends a person who is not signed in to the sign-in page, and back', async () => {
    const page = await open('/errors');
    await page.locator('[data-opens="reader-key"]').click();
    await page.getByRole('button', { name: 'Make a key for these examples' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${host.deps.config.pagesUrl}/sign-in?next=%2Fdocs%2Ferrors`);
    expect(await page.locator('[data-next]').getAttribute('data-next')).toBe('/docs/errors');
  });

  it('can be read, and its menu opened, without a script', async () => {
    const page = await open('', { ...PHONE, javaScriptEnabled: false });
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByText('payfork.payments.create(').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Errors', exact: true }).first().click();
    await page.waitForURL(address('/errors'));
    expect(await page.getByRole('heading', { name: 'Errors' }).isVisible()).toBe(true);
  });
});
