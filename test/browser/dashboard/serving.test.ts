import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DESK, isLoaded, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const onLocalhost = (address: string): string => address.replace('127.0.0.1', 'localhost');
const sessions = async (page: Page): Promise<number> =>
  (await page.context().cookies()).filter(({ name }) => name === 'service_session').length;

browserSuite('serving the dashboard', (browser) => {
  async function aTab(): Promise<Page> {
    const context = await browser().newContext(DESK);
    onTestFinished(() => context.close());
    return context.newPage();
  }

  it('signs the demo owner in with one click, and calls nothing but this machine', async () => {
    const page = await aTab();
    const called = new Set<string>();
    page.on('request', (request) => called.add(new URL(request.url()).origin));
    await page.goto(`${onLocalhost(host.controlUrl)}/sign-in`);
    await page.waitForURL(`${onLocalhost(host.info.api)}/dashboard`);
    await isLoaded(page);
    expect(await sessions(page)).toBe(1);
    expect([...called].sort()).toEqual([onLocalhost(host.controlUrl), onLocalhost(host.info.api)].sort());
  });

  it('signs nobody in whom a page of another site leads there, or that loads it unseen', async () => {
    const page = await aTab();
    const address = `${onLocalhost(host.controlUrl)}/sign-in`;
    await page.route('https://evil.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${address}">Win</a><img src="${address}" alt="">` }),
    );
    await page.goto('https://evil.example/');
    await page.getByText('Win').click();
    await page.getByText('A page led here.').waitFor();
    expect(await sessions(page)).toBe(0);
  });

  it('paints the first screen, and says when', async () => {
    const page = await openDashboard(browser(), { host, person: await theOwner(host) });
    const paint = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
    );
    const loaded = await page.evaluate<number>(
      "performance.getEntriesByType('resource').reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
    );
    console.info(`First paint after ${Math.round(paint)} ms; ${(loaded / 1_000).toFixed(1)} kB with all responses.`);
    expect(paint).toBeGreaterThan(0);
  });

  it('runs no script that somebody slips into the page', async () => {
    const page = await openDashboard(browser(), {
      host,
      person: await theOwner(host),
      expects: /Content Security Policy/,
    });
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.slipped = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<button onclick="window.slipped = true">Slipped</button>');
    }`);
    await page.getByRole('button', { name: 'Slipped' }).click();
    expect(await page.evaluate('window.slipped')).toBeUndefined();
  });

  it('loads its page again, once, when a deployment has taken the file of a screen away', async () => {
    const page = await openDashboard(browser(), { host, person: await theOwner(host) });
    let missing = 1;
    await page.route(/assets\/developers\.screen-/, (route) =>
      missing-- > 0 ? route.fulfill({ status: 404, json: { code: 'not_found' } }) : route.continue(),
    );
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.locator('a[href="/dashboard/developers"]').first().click();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
    expect(loads).toBe(1);
    expect(page.url()).toBe(`${onLocalhost(host.info.api)}/dashboard/developers`);
  });

  it('loads its page again, once, when an old function still answers for the styles of the new page', async () => {
    const page = await openDashboard(browser(), { host, person: await theOwner(host) });
    let missing = 1;
    await page.route(/assets\/main-\w+\.css/, (route) =>
      missing-- > 0 ? route.fulfill({ status: 404, json: { code: 'not_found' } }) : route.continue(),
    );
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.goto(page.url());
    await page.locator('.sidebar .navigation-link').first().waitFor();
    await expect.poll(() => loads).toBe(2);
    await isLoaded(page);
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('.frame')).display")).toBe('grid');
  });

  it('shows its frame before any script runs, and after a while says that none has come', async () => {
    const page = await aTab();
    await page.route(/assets\/.*\.js/, (route) => route.fulfill({ status: 404, json: { code: 'not_found' } }));
    await page.goto(`${onLocalhost(host.info.api)}/dashboard/payments`);
    expect(await page.locator('.content .skeleton-line').first().isVisible()).toBe(true);
    const hint = page.getByText('This takes longer than usual. Load the page again.');
    expect(await hint.isVisible()).toBe(false);
    await page.evaluate("for (const animation of document.querySelector('.late').getAnimations()) animation.finish()");
    expect(await hint.isVisible()).toBe(true);
  });

  it('shows grey lines within the frame while the file of a screen is on its way', async () => {
    const page = await openDashboard(browser(), { host, person: await theOwner(host) });
    let arrive = (): void => undefined;
    const arrives = new Promise<void>((done) => {
      arrive = done;
    });
    await page.route(/assets\/developers\.screen-/, async (route) => {
      await arrives;
      await route.continue();
    });
    await page.goto(`${onLocalhost(host.info.api)}/dashboard/developers`, { waitUntil: 'commit' });
    await page.locator('.sidebar .navigation-link[aria-current]').getByText('Developers').waitFor();
    await page.locator('#content .skeleton[role="status"]').waitFor();
    arrive();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
  });

  it('does not load its page for ever where a file stays away, and leaves the navigation standing', async () => {
    const page = await openDashboard(browser(), { host, person: await theOwner(host) });
    await page.route(/assets\/developers\.screen-/, (route) => route.fulfill({ status: 404, json: {} }));
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.locator('a[href="/dashboard/developers"]').first().click();
    await page.getByRole('alert').waitFor();
    expect(loads).toBe(1);
    await page.locator('a[href="/dashboard/team"]').first().waitFor();
  });
});
