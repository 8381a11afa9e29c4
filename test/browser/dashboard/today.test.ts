import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  expectNoAxeFindings,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { overflows } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  await pay('ok', 2_000);
  await pay('ok', 1_000, 'USD');
  await host.control('POST', '/clock', { advance: '7d' });
  for (const token of ['ok', 'decline_insufficient_funds']) await pay(token, 1_500);
  const { id } = (await pay('ok', 1_500)).body;
  await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: id });
  await host.control('POST', '/drain');
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const pay = (token: string, amount: number, currency = 'EUR') =>
  host.call('POST', '/v1/payments', aPaymentBody(token, { amount, currency }));

browserSuite('the screen Today', (browser) => {
  it('shows volume, success, failures and providers of the week against the week before', async () => {
    const page = await openDashboard(browser(), { host, person: owner });
    const figure = (name: string) => page.locator('.stat', { hasText: name });
    expect(await figure('Volume').locator('.stat-value').textContent()).toBe('€30.00');
    expect(await figure('Volume').locator('.stat-change').textContent()).toContain('50% vs the 7 days before');
    expect(await figure('Success rate').locator('.stat-value').textContent()).toBe('66.7%');
    expect(await page.getByRole('list', { name: 'Failures by reason' }).textContent()).toContain('Insufficient funds');
    expect(await page.getByRole('table', { name: 'By provider' }).textContent()).toContain('Stripe');
    await page.locator('.chart canvas').waitFor();
    await page.getByText('Show as a table').click();
    expect(await page.getByRole('table', { name: 'Volume by day' }).textContent()).toContain('€30.00');
  });

  it('shows large figures in full, on a desk and on a phone', async () => {
    await pay('ok', 99_999_999_999, 'JPY');
    await host.control('POST', '/drain');
    const page = await openDashboard(browser(), { host, person: owner });
    await page.getByLabel('Currency').selectOption('JPY');
    await page.locator('.stat-value', { hasText: '99,999,999,999' }).waitFor();
    for (const width of [1_440, 1_000, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page
        .locator('.stat-value')
        .evaluateAll((values) =>
          values
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        );
      expect({ width, cut, overflows: await overflows(page) }).toEqual({ width, cut: [], overflows: false });
    }
  });

  it('lists what needs attention, and leads to it', async () => {
    const page = await openDashboard(browser(), { host, person: owner });
    const attention = page.locator('.today-attention');
    expect(await attention.textContent()).toContain('1 dispute to answer');
    await attention.getByRole('link', { name: '€15.00, answer by' }).click();
    await page.waitForURL(/\/dashboard\/disputes\/disp_\w+$/);
  });

  it('says what could not be loaded, and loads it with the next press', async () => {
    const page = await openDashboard(browser(), { host, person: owner, expects: /ERR_FAILED/ });
    await page.route('**/v1/payments/stats*', (route) => route.abort());
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('This could not be loaded').waitFor({ timeout: 20_000 });
    await expectNoAxeFindings(page);
    await page.unroute('**/v1/payments/stats*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.stat-value', { hasText: '€50.00' }).waitFor();
  }, 60_000);

  it('keeps the period in its address', async () => {
    const page = await openDashboard(browser(), { host, person: owner });
    await page.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/\?days=30$/);
    await page.locator('.stat-value', { hasText: '€50.00' }).waitFor();
    await page.goBack();
    await page.locator('.stat-value', { hasText: '€30.00' }).waitFor();
  });

  it(
    'is accessible in both widths and themes',
    () => lookAtScreen(browser(), { host, person: owner, name: 'today' }),
    60_000,
  );
});
