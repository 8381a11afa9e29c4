import { afterAll, beforeAll, expect, it } from 'vitest';
import { aColleague, lookAtScreen, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { act, advance, arrange, drain, moneyOf, pay, read } from '#test/support/payment-steps.ts';

let host: TestHost;
let owner: OrganizationUser;
let refunded: Body;
let unanswered: Body;
beforeAll(async () => {
  host = await startHost();
  refunded = await pay(host, 'ok', { amount: 8_200 });
  await arrange(host, 'http_500', { webhook: 'none', times: 50, match: { operation: 'refund' } });
  await arrange(host, 'garbage', { times: 50, match: { operation: 'fetch_refund' } });
  await act(host, refunded.id, 'refund', { amount: 2_000 });
  await advance(host, '8d');
  await host.control('DELETE', '/psp/scenario');
  await arrange(host, 'http_500', { webhook: 'none', times: 200 });
  unanswered = await pay(host, 'ok', { amount: 3_100 });
  await advance(host, '8d');
  await host.control('DELETE', '/psp/scenario');
  await drain(host);
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const rows = '.table tbody tr';

browserSuite('the queue of reviews', (browser) => {
  it('begins with the payment that waits longest, and says why each is there', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/reviews' });
    const texts = await page.locator(rows).allTextContents();
    expect(texts.map((text) => /€[\d.]+/.exec(text)?.[0])).toEqual(['€82.00', '€31.00']);
    expect(texts.every((text) => text.includes('No answer'))).toBe(true);
    await page.getByRole('link', { name: '€82.00' }).press('Enter');
    await page.waitForURL(`**/dashboard/payments/${refunded.id}`);
  });

  it('shows a viewer the queue without the button, and the API refuses a viewer all the same', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await openDashboard(browser(), { host, person: viewer, path: '/reviews' });
    expect(await page.locator(rows).count()).toBe(2);
    expect(await page.getByRole('button', { name: 'End review' }).count()).toBe(0);
    expect((await viewer.request('POST', `/v1/payments/${refunded.id}/cancel`)).status).toBe(403);
  });

  it(
    'is accessible in both widths and themes, with its dialog open',
    () =>
      lookAtScreen(browser(), {
        host,
        person: owner,
        path: '/reviews',
        name: 'reviews',
        prepare: (page) => page.getByRole('button', { name: 'End review' }).first().click(),
      }),
    60_000,
  );

  it('ends a review once, however often the button is pressed, and then no longer lists it', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/reviews' });
    await page.locator(rows, { hasText: '€82.00' }).getByRole('button', { name: 'End review' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('The refund of €20.00 counts as failed');
    await dialog.getByRole('button', { name: 'End review' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    expect(await read(host, refunded.id)).toMatchObject({ status: 'succeeded', review: null, amount_refunded: 0 });
  });

  it('cancels a payment without an answer, and says so before', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/reviews' });
    await page.locator(rows, { hasText: '€31.00' }).getByRole('button', { name: 'End review' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('The payment is canceled.');
    await dialog.getByRole('button', { name: 'End review' }).click();
    await page.getByText('Nothing to review').waitFor();
    expect((await read(host, unanswered.id)).status).toBe('canceled');
    const { amount, refunded: back } = await moneyOf(host, unanswered.id).catch(() => ({ amount: 0, refunded: 0 }));
    expect(amount - back).toBe(0);
  });

  it('speaks the language of the person who looks', async () => {
    const page = await openDashboard(browser(), {
      host,
      person: owner,
      path: '/reviews',
      options: { locale: 'de-DE', viewport: { width: 1_440, height: 900 } },
    });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Prüfungen');
    expect(await page.getByText('Nichts zu prüfen').isVisible()).toBe(true);
  });
});
