import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLoaded, lookAtScreen, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pay = async (): Promise<Body> => (await host.call('POST', '/v1/payments', aPaymentBody())).body;

browserSuite('the Lab of the dashboard', (browser) => {
  const open = async (part: string): Promise<Page> =>
    openDashboard(browser(), { host, person: await theOwner(host), path: `/lab${part}` });

  it('renews a subscription by moving the clock a month on, and stays signed in', async () => {
    const made = await host.call('POST', '/v1/subscriptions', {
      customer_id: 'cus_lab',
      plan_id: 'gold',
      amount: 1_500,
      currency: 'EUR',
      interval: 'monthly',
      payment_method: { type: 'card', token: 'ok' },
    });
    expect(made.status).toBe(201);
    const page = await open('');
    const before = host.clock.now();
    await button(page, '+31 days').click();
    // Sessions end by that clock: the page signs in again by a mailed link, and starts anew.
    await page.waitForEvent('load');
    await isLoaded(page);
    expect(host.clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(31 * 86_400_000);
    const { invoices } = (await host.call('GET', '/v1/invoices?customer_id=cus_lab')).body;
    expect(invoices.map(({ status }: Body) => status)).toEqual(['paid', 'paid']);
    await page.locator('a[href="/dashboard/subscriptions"]').first().click();
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('moves the clock by an hour without another sign-in', async () => {
    const page = await open('');
    const before = host.clock.now();
    await button(page, '+1 hour').click();
    await page.getByText('The clock moved, and what fell due is done.').waitFor();
    expect(host.clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
  });

  it('lets a provider decline its next call, and shows what the provider saw', async () => {
    const page = await open('/providers');
    await page.getByLabel('Failure code').selectOption('lost_card');
    await button(page, 'Set the scenario').click();
    await page.getByText('decline:lost_card').waitFor();
    const declined = await pay();
    expect([declined.status, declined.failure.code]).toEqual(['failed', 'lost_card']);
    const paid = await pay();
    await page.getByText('No scenario waits').waitFor();
    const calls = page.getByRole('table', { name: 'Calls' });
    for (const { id } of [declined, paid]) await calls.getByText(id).first().waitFor();
    await page.getByLabel('Payment', { exact: true }).last().fill(paid.id);
    await page.keyboard.press('Enter');
    await calls.getByText(declined.id).waitFor({ state: 'detached' });
    expect(page.url()).toContain(`payment_id=${paid.id}`);
    const money = page.getByRole('table', { name: 'Money' });
    expect(await money.getByRole('row').nth(1).textContent()).toContain(paid.id);
  });

  it('draws the newest calls of many, and more when they are asked for', async () => {
    for (let times = 0; times < 26; times += 1) await pay();
    const page = await open('/providers');
    const rows = page.getByRole('table', { name: 'Money' }).getByRole('row');
    expect(await rows.count()).toBe(26);
    await button(page, 'Show more').last().click();
    expect(await rows.count()).toBeGreaterThan(26);
  });

  it('says what is wrong with a scenario, in the words of the control server', async () => {
    const page = await open('/providers');
    await page.getByLabel('Behaviour').selectOption('raw');
    await page.getByLabel('Response').fill('{"status": 99, "body": {}}');
    await button(page, 'Set the scenario').click();
    await page.getByRole('alert').getByText('raw.status').first().waitFor();
  });

  it('lets a call of a function fail', async () => {
    const page = await open('/faults');
    await page.getByLabel('Made by the function').selectOption('payments');
    await button(page, 'Set the fault').click();
    await page.getByText('Error before call 1 of psp, made by payments').waitFor();
    expect((await host.control('GET', '/faults')).body.waiting).toHaveLength(1);
    await button(page, 'Remove all').click();
    await page.getByText('No fault waits').waitFor();
    expect((await host.control('GET', '/faults')).body.waiting).toEqual([]);
  });

  it('shows the mails that were sent, newest first, and those of one address', async () => {
    await host.call('POST', '/v1/auth/magic-link', { email: 'someone@example.com' }, { key: null });
    const page = await open('/mailbox');
    await page.getByLabel('Address').fill('someone@');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row').nth(1);
    await row.getByText('someone@example.com').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await row.getByRole('button').click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Open the link' });
    expect(await link.getAttribute('href')).toMatch(/\/sign-in\?token=\w{43}$/);
  });

  it('makes a receiver that fails first, and shows what it got', async () => {
    const page = await open('/receivers');
    await page.getByPlaceholder('shop').fill('lab-shop');
    await button(page, 'Make a receiver').click();
    await page.getByLabel('Responds with').fill('503, 200');
    await button(page, 'Save').click();
    await page.getByText('It responds with 503, 200 now.').waitFor();
    const url = `${host.controlUrl}/receiver/lab-shop/hook`;
    await page.getByText(url).waitFor();
    const got = [];
    for (const type of ['payment.failed', 'payment.succeeded'])
      got.push((await fetch(url, { method: 'POST', body: JSON.stringify({ type }) })).status);
    expect(got).toEqual([503, 200]);
    await button(page, 'payment.succeeded').click();
    await page.getByRole('dialog').getByText('{"type":"payment.succeeded"}').waitFor();
  });

  it('is missing where the page names no control server, as on AWS', async () => {
    const page = await openDashboard(browser(), { host, person: await theOwner(host) });
    await page.route('**/dashboard/lab', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<meta name="payfork-control"[^>]*>/, '');
      await route.fulfill({ response, body });
    });
    await page.goto(`${host.deps.config.pagesUrl}/dashboard/lab`);
    await page.getByText('There is no Lab here').waitFor();
    expect(await page.locator('a[href="/dashboard/lab"]').count()).toBe(0);
  });

  it.each([
    ['lab-clock', ''],
    ['lab-providers', '/providers'],
    ['lab-receivers', '/receivers?name=looked-at'],
  ])('is accessible at both widths and in both themes: %s', async (name, part) => {
    await pay();
    await host.control('PUT', '/receiver/looked-at', { sequence: [500, 200] });
    await fetch(`${host.controlUrl}/receiver/looked-at/hook`, { method: 'POST', body: '{"type":"payment.succeeded"}' });
    await lookAtScreen(browser(), { host, person: await theOwner(host), path: `/lab${part}`, name });
  });
});
