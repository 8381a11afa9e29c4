import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aColleague,
  expectNoAxeFindings,
  isLoaded,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import {
  changeSubscription,
  invoicesOf,
  paymentsOf,
  savedCard,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { advance, drain } from '#test/support/payment-steps.ts';

let host: TestHost;
let owner: OrganizationUser;
let paying: Body;
let failing: Body;
beforeAll(async () => {
  host = await startHost();
  paying = await subscribe(host, { customer_id: 'ada', plan_id: 'gold', amount: 2_500 });
  await subscribe(host, { customer_id: 'grace', plan_id: 'silver', amount: 12_000, interval: 'yearly' });
  failing = await subscribe(host, { customer_id: 'linus', payment_method: savedCard('decline_insufficient_funds') });
  await drain(host);
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const invoiceOf = async (subscription: Body): Promise<Body> => (await invoicesOf(host, subscription)).at(-1)!;

browserSuite('subscriptions', (browser) => {
  const open = (path: string, person = owner) => openDashboard(browser(), { host, person, path });

  it('shows the recurring revenue, and the subscriptions of a customer by their address', async () => {
    const page = await open('/subscriptions');
    // 25.00 a month, a twelfth of 120.00, and 19.90 that is retried.
    expect(await page.locator('.stat', { hasText: 'MRR' }).textContent()).toContain('€54.90');
    expect(await page.locator('.stat', { hasText: 'Active' }).textContent()).toContain('3');
    await page.getByRole('figure', { name: 'MRR (EUR)' }).locator('canvas').waitFor();
    await page.getByRole('figure', { name: 'Gained and lost revenue (EUR)' }).locator('canvas').waitFor();
    await page.getByRole('searchbox', { name: 'Customer', exact: true }).fill('ada');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/subscriptions?customer=ada');
    await expect.poll(() => page.getByRole('table', { name: 'Subscriptions' }).locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'ada' }).press('Enter');
    await page.waitForURL(`**/dashboard/subscriptions/${paying.id}`);
  });

  it('shows the next dates, and the renewal when its date has come', async () => {
    const before = await open(`/subscriptions/${paying.id}`);
    const dates = (page: typeof before) =>
      page.getByRole('table', { name: 'Next dates' }).locator('tbody tr').allTextContents();
    const planned = await dates(before);
    expect(planned).toHaveLength(6);
    await advance(host, '32d');
    owner = await theOwner(host);
    const after = await open(`/subscriptions/${paying.id}`);
    expect((await dates(after)).slice(0, 5)).toEqual(planned.slice(1));
    const invoices = after.getByRole('table', { name: 'Invoices' }).locator('tbody tr');
    expect(await invoices.count()).toBe(2);
    expect(await invoices.filter({ hasText: 'Paid' }).count()).toBe(2);
  });

  it('pauses, resumes, and plans the end, each after saying what will happen', async () => {
    const page = await open(`/subscriptions/${paying.id}`);
    const press = async (button: string, says: string, confirm = button) => {
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.textContent()).toContain(says);
      await dialog.getByRole('button', { name: confirm, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await press('Pause', 'Nothing renews while it is paused');
    expect(await subscriptionOf(host, paying)).toMatchObject({ status: 'paused', next_renewal_at: null });
    await page.getByText('Nothing renews.').waitFor();
    await press('Resume', 'It renews at its next date');
    await press('Cancel subscription', 'At the end of the period');
    expect(await subscriptionOf(host, paying)).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await page.getByText(/^Ends on/).waitFor();
    await press('Do not cancel', 'The planned end is taken back');
    expect(await subscriptionOf(host, paying)).toMatchObject({ status: 'active', cancel_at_period_end: false });
  });

  it('changes the price from the next period on, and sends only what was changed', async () => {
    const page = await open(`/subscriptions/${paying.id}`);
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save changes' });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel('Amount (EUR)').fill('30.00');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save.click();
    expect((await sent).postDataJSON()).toEqual({ amount: 3_000 });
    await dialog.waitFor({ state: 'detached' });
    expect(await subscriptionOf(host, paying)).toMatchObject({ amount: 3_000, plan_id: 'gold' });
  });

  it('creates a subscription with a saved card, which is charged at once', async () => {
    const card = {
      customer_id: 'barbara',
      type: 'card',
      card: { brand: 'visa', last4: '4242' },
      tokens: { stripe: 'ok' },
    };
    const saved = await host.call('POST', '/v1/payment-methods', card);
    expect(saved.status, saved.text).toBe(201);
    const page = await open('/subscriptions');
    await page.getByRole('button', { name: 'New subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Customer').fill('barbara');
    await dialog.getByLabel('Plan').fill('gold');
    await dialog.getByLabel('Amount (EUR)').fill('9.90');
    await dialog.getByRole('combobox', { name: 'Saved payment method' }).selectOption({ label: 'Visa •••• 4242' });
    await dialog.getByLabel('First period starts on').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Create subscription' }).click();
    await dialog.getByText('Must not be in the past.').first().waitFor();
    await dialog.getByLabel('First period starts on').fill('');
    await dialog.getByRole('button', { name: 'Create subscription' }).click();
    await page.waitForURL(/subscriptions\/sub_/);
    await isLoaded(page);
    const id = page.url().split('/').at(-1)!;
    expect(await subscriptionOf(host, { id })).toMatchObject({ amount: 990, payment_method_id: saved.body.id });
    await drain(host);
    expect(await invoicesOf(host, { id })).toMatchObject([{ status: 'paid', amount: 990 }]);
  });

  it('collects an unpaid invoice once with another card, however often the button is pressed', async () => {
    const debtor = await subscribe(host, { payment_method: savedCard('decline_insufficient_funds') });
    const invoice = await invoiceOf(debtor);
    const page = await open(`/invoices/${invoice.id}`);
    const steps = page.getByRole('list', { name: 'Collection' }).locator('li');
    expect(await steps.count()).toBe(4);
    expect(await steps.first().textContent()).toMatch(/Attempt 1.*Failed/s);
    expect(await steps.last().textContent()).toMatch(/Retry 3.*Planned/s);
    await changeSubscription(host, debtor, { payment_method: savedCard() });
    await page.getByRole('button', { name: 'Retry now' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('The customer is charged €19.90');
    await dialog.getByRole('button', { name: 'Retry now' }).dblclick();
    await page.getByText('The invoice is paid.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
    const payments = await paymentsOf(host, debtor);
    expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });

  it('gives an invoice up after a question, and shows why it may not be taken back', async () => {
    const debtor = await subscribe(host, { payment_method: savedCard('decline_insufficient_funds') });
    const invoice = await invoiceOf(debtor);
    const page = await open(`/invoices/${invoice.id}`);
    await page.getByRole('button', { name: 'Cancel invoice' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('This is final.');
    await dialog.getByRole('button', { name: 'Cancel invoice' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await invoiceOf(debtor)).status).toBe('canceled');
    await expect.poll(() => page.getByRole('button', { name: 'Cancel invoice' }).count()).toBe(0);
  });

  it('shows a viewer everything and no button, and the API refuses a viewer all the same', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await open(`/subscriptions/${paying.id}`, viewer);
    for (const name of ['Pause', 'Change', 'Cancel subscription'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(page.url().replace(/subscriptions.*/, `invoices/${(await invoiceOf(failing)).id}`));
    await isLoaded(page);
    expect(await page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
    expect((await viewer.request('POST', `/v1/subscriptions/${paying.id}/cancel`, {})).status).toBe(403);
  });

  it('speaks the language of the person who looks', async () => {
    const options = { locale: 'de-DE', viewport: { width: 1_440, height: 900 } };
    const page = await openDashboard(browser(), { host, person: owner, path: '/subscriptions', options });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Abonnements');
    await page.getByText('Wiederkehrender Umsatz').waitFor();
  });
});

browserSuite('the screens of subscriptions and invoices', (browser) => {
  it.each<[string, () => string | Promise<string>]>([
    ['subscriptions', () => '/subscriptions'],
    ['subscription', () => `/subscriptions/${paying.id}`],
    ['invoices', () => '/invoices'],
    ['invoice', async () => `/invoices/${(await invoicesOf(host, failing))[0]!.id}`],
  ])(
    'are accessible in both widths and themes: %s',
    async (name, path) => {
      await lookAtScreen(browser(), { host, person: owner, name, path: await path() });
    },
    60_000,
  );

  it('are accessible with a dialog open', async () => {
    await lookAtScreen(browser(), {
      ...{ host, person: owner, name: 'subscription-new', path: '/subscriptions' },
      prepare: (page) => page.getByRole('button', { name: 'New subscription' }).click(),
    });
    const page = await openDashboard(browser(), { host, person: owner, path: `/subscriptions/${paying.id}` });
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await expectNoAxeFindings(page);
  }, 120_000);
});
