import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  aColleague,
  expectNoAxeFindings,
  lookAtScreen,
  openDashboard,
  takeScreenshot,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { act, arrange, complete, drain, moneyOf, pay, payAnywhere, read } from '#test/support/payment-steps.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  await host.call('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/shop/hook`, events: ['*'] });
  owner = await theOwner(host);
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const open = (browser: Parameters<typeof openDashboard>[0], { id }: Body, person = owner, expects?: RegExp) =>
  openDashboard(browser, { host, person, path: `/payments/${id}`, ...(expects && { expects }) });
const dialog = (page: Page) => page.getByRole('dialog');
const refundOf = async ({ id }: Body): Promise<readonly number[]> =>
  (await read(host, id)).refunds.map(({ amount }: Body) => amount);

async function fillRefund(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund…' }).click();
  await dialog(page)
    .getByLabel(/^Amount/)
    .fill(amount);
}

browserSuite('the screen of a payment', (browser) => {
  it('refunds a part of it, and shows the refund, who asked for it, and the delivery of its event', async () => {
    const payment = await pay(host, 'ok', { customer_id: 'kim', description: 'Chair' });
    await drain(host);
    const page = await open(browser(), payment);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('€50.00');
    await fillRefund(page, '12.00');
    await dialog(page)
      .getByLabel(/^Reason/)
      .fill('Scratched');
    expect(await dialog(page).textContent()).toContain('Stripe gives €12.00 back to the customer.');
    expect(await dialog(page).textContent()).toContain('After that, €38.00 of this payment is left to refund.');
    await page.getByRole('button', { name: 'Refund €12.00' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await drain(host);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const event = timeline.getByRole('listitem').filter({ hasText: 'payment.refunded' });
    await event.getByText('Delivered').waitFor();
    expect(await event.textContent()).toContain('HTTP 200 after');
    const told = await timeline.textContent();
    for (const text of [
      'Refund requested',
      owner.user.email,
      'Scratched',
      '€12.00',
      'Routing decision',
      'Attempt 1 at Stripe',
    ])
      expect(told).toContain(text);
    expect(told).toContain('No rule matched: default routing chose Stripe');
    expect(await refundOf(payment)).toEqual([1_200]);
    await page.locator('.page-title').getByText('€12.00 refunded').waitFor();
    await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: payment.id });
    await drain(host);
    await page.reload();
    await page.locator('.page-title').getByText('Disputed').waitFor();
  });

  it('says who made it, which provider could not take it, and that a callback of the provider ended it', async () => {
    await arrange(host, 'pending');
    await host.call('POST', '/v1/connections', {
      provider: 'paystack',
      credentials: randomCredentials('paystack', 'sandbox'),
    });
    const payment = await pay(host);
    await complete(host, payment.id, 'succeeded');
    const page = await open(browser(), payment);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const lineOf = (title: string) => timeline.getByRole('listitem').filter({ hasText: title });
    expect(await lineOf('Payment created').textContent()).toMatch(/by \S+/);
    await lineOf('Routing decision')
      .getByText(/^Paystack \(conn_\w+\): Currency not supported$/)
      .waitFor();
    expect(await lineOf('Outcome reported by the provider').textContent()).toContain('Stripe · payment.succeeded');
    expect(await lineOf('after a callback of the provider').textContent()).toContain('payment.succeeded');
  });

  it('refunds once, however often the button is pressed', async () => {
    const payment = await pay(host);
    const page = await open(browser(), payment);
    await fillRefund(page, '7.00');
    await page.getByRole('button', { name: 'Refund €7.00' }).dblclick();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await refundOf(payment)).toEqual([700]);
    expect((await moneyOf(host, payment.id)).refunded).toBe(700);
  });

  it('repeats the same refund when its answer was lost, and so refunds once', async () => {
    const payment = await pay(host);
    const page = await open(browser(), payment, owner, /ERR_FAILED/);
    const keys: (string | undefined)[] = [];
    await page.route('**/refund', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await route.fetch();
      await route.abort();
    });
    await fillRefund(page, '5.00');
    await page.getByRole('button', { name: 'Refund €5.00' }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(
      await dialog(page)
        .getByLabel(/^Amount/)
        .isDisabled(),
    ).toBe(true);
    expect((await moneyOf(host, payment.id)).refunded).toBe(500);
    await page.unroute('**/refund');
    // A refusal of the repeat says nothing of the first try: the key stays.
    const refusal = { status: 429, headers: { 'retry-after': '61' }, json: { code: 'rate_limited', message: 'Wait.' } };
    await page.route('**/refund', (route) => route.fulfill(refusal), { times: 1 });
    const refused = page.waitForResponse('**/refund');
    await again.click();
    keys.push((await refused).request().headers()['idempotency-key']);
    const repeated = page.waitForRequest('**/refund');
    await again.click();
    await dialog(page).waitFor({ state: 'detached' });
    keys.push((await repeated).headers()['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(await refundOf(payment)).toEqual([500]);
    expect((await moneyOf(host, payment.id)).refunded).toBe(500);
  }, 30_000);

  it('is loaded again when somebody gives up on a refund of which nobody knows whether it happened', async () => {
    const payment = await pay(host);
    const page = await open(browser(), payment);
    await page.route('**/refund', async (route) => {
      await route.fetch();
      await route.fulfill({ status: 200, contentType: 'text/html', body: '<html>Welcome to the hotel</html>' });
    });
    await fillRefund(page, '5.00');
    await page.getByRole('button', { name: 'Refund €5.00' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await dialog(page).isVisible()).toBe(true);
    await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Refund requested').waitFor();
    expect(await refundOf(payment)).toEqual([500]);
  });

  it('says in plain words why the API refuses', async () => {
    const payment = await pay(host);
    const page = await open(browser(), payment);
    await fillRefund(page, '50.01');
    expect(await dialog(page).textContent()).toContain('At most €50.00.');
    expect(await page.getByRole('button', { name: 'Refund €50.01' }).isDisabled()).toBe(true);
    await dialog(page)
      .getByLabel(/^Amount/)
      .fill('40');
    await act(host, payment.id, 'refund', { amount: 4_000 });
    await page.getByRole('button', { name: 'Refund €40.00' }).click();
    await dialog(page).getByText('At most 1000 of this payment can still be refunded.').waitFor();
    expect(await refundOf(payment)).toEqual([4_000]);
  });

  it('captures a part of an authorization, and releases the rest', async () => {
    const payment = await pay(host, 'ok', { capture: 'manual' });
    const page = await open(browser(), payment);
    await page.getByRole('button', { name: 'Capture…' }).click();
    await dialog(page)
      .getByLabel(/^Amount/)
      .fill('20');
    await page.getByRole('button', { name: 'Capture €20.00' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await read(host, payment.id)).toMatchObject({ status: 'succeeded', captured_amount: 2_000 });
    await page.getByRole('button', { name: 'Refund…' }).waitFor();
  });

  it('cancels what is held, and tries a declined payment again', async () => {
    const held = await pay(host, 'ok', { capture: 'manual' });
    const page = await open(browser(), held);
    await page.getByRole('button', { name: 'Cancel payment…' }).click();
    expect(await dialog(page).textContent()).toContain('gives back the €50.00');
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await page.locator('.page-title').getByText('Canceled').waitFor();
    expect((await read(host, held.id)).status).toBe('canceled');

    await arrange(host, 'decline:issuer_unavailable');
    const failed = await payAnywhere(host);
    await host.control('DELETE', '/psp/scenario');
    const other = await open(browser(), failed);
    await other.locator('.alert').getByText('It is not the fault of the customer').waitFor();
    await other.getByRole('button', { name: 'Retry…' }).click();
    expect(await dialog(other).textContent()).toContain('Bank not reachable');
    await other.getByRole('button', { name: 'Try again now' }).click();
    await other.locator('.page-title').getByText('Succeeded').waitFor();
    await other.getByText('Retry requested').waitFor();
  });

  it('shows a viewer everything and lets them change nothing, as the API does', async () => {
    const payment = await pay(host);
    const viewer = await aColleague(host, 'viewer');
    const page = await open(browser(), payment, viewer);
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
    expect(await page.getByRole('button', { name: /Refund|Capture|Cancel|Retry/ }).count()).toBe(0);
    const refused = await viewer.request('POST', `/v1/payments/${payment.id}/refund`, { amount: 100 });
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope']);
    expect(await refundOf(payment)).toEqual([]);
  });

  it('says that a payment does not exist, and shows one as JSON', async () => {
    const page = await open(browser(), { id: 'pay_00000000000000000000000000' });
    await page.getByText('There is no such payment.').waitFor();
    const payment = await pay(host);
    const other = await open(browser(), payment);
    await other.getByRole('button', { name: 'JSON' }).click();
    expect(await other.getByLabel('JSON', { exact: true }).last().textContent()).toContain(`"id": "${payment.id}"`);
  });

  it('is accessible in both widths and themes, also while it asks', async () => {
    const payment = await pay(host, 'ok', { customer_id: 'kim', description: 'Chair', metadata: { order: '4711' } });
    await act(host, payment.id, 'refund', { amount: 1_200, reason: 'Scratched' });
    await drain(host);
    const path = `/payments/${payment.id}`;
    await lookAtScreen(browser(), { host, person: owner, path, name: 'payment' });
    const prepare = (page: Page) => fillRefund(page, '12.00');
    await lookAtScreen(browser(), { host, person: owner, path, name: 'payment-refund', prepare });
    const declined = await open(browser(), await pay(host, 'decline_insufficient_funds'));
    await takeScreenshot(declined, 'payment-failed');
    await expectNoAxeFindings(declined);
  }, 120_000);
});
