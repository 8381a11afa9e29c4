import { afterAll, beforeAll, expect, it } from 'vitest';
import { aColleague, lookAtScreen, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { advance, drain, pay } from '#test/support/payment-steps.ts';

let host: TestHost;
let owner: OrganizationUser;
let first: Body;
let second: Body;
beforeAll(async () => {
  host = await startHost();
  first = await aDispute(4_500, 'product_not_received');
  await advance(host, '8d');
  second = await aDispute(2_750, 'fraudulent');
  owner = await theOwner(host);
});
afterAll(() => host?.close());

async function aDispute(amount: number, reason: string): Promise<Body> {
  const payment = await pay(host, 'ok', { amount });
  await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: payment.id, reason });
  await drain(host);
  const { disputes } = (await host.call('GET', `/v1/disputes?payment_id=${payment.id}`)).body;
  return disputes[0];
}

const rows = '.table tbody tr';
const reread = async ({ id }: Body): Promise<Body> => (await host.call('GET', `/v1/disputes/${id}`)).body;

browserSuite('disputes', (browser) => {
  it('are a queue: the soonest deadline first, and marked when it is near', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/disputes' });
    const texts = await page.locator(rows).allTextContents();
    expect(texts.map((text) => /€[\d.]+/.exec(text)?.[0])).toEqual(['€45.00', '€27.50']);
    expect(texts.map((text) => text.includes('Due soon'))).toEqual([true, false]);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL(/view=all/);
    await page.getByLabel('Reason', { exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('won');
    await page.getByText('There are no such disputes').waitFor();
    expect(page.url()).toContain('status=won');
  });

  it('are accessible in both widths and themes', async () => {
    const look = { host, person: owner };
    await lookAtScreen(browser(), { ...look, path: '/disputes', name: 'disputes' });
    await lookAtScreen(browser(), { ...look, path: `/disputes/${first.id}`, name: 'dispute' });
  }, 90_000);

  it('show a viewer no form, and say so', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await openDashboard(browser(), { host, person: viewer, path: `/disputes/${first.id}` });
    await page.getByText('You may look at disputes, but not answer them.').waitFor();
    expect(await page.getByRole('textbox').count()).toBeLessThanOrEqual(1);
    expect(await page.getByRole('button', { name: 'Accept the dispute' }).count()).toBe(0);
    expect((await viewer.request('POST', `/v1/disputes/${first.id}/accept`)).status).toBe(403);
  });

  it('take evidence in the fields of their provider, once, even where the first answer is lost', async () => {
    const page = await openDashboard(browser(), {
      host,
      person: owner,
      path: `/disputes/${first.id}`,
      expects: /Failed to load resource|net::ERR/,
    });
    const taken: readonly string[] = (await reread(first)).answer_options.evidence_fields;
    expect(await page.locator('#content form .field').count()).toBe(taken.length);
    await page.getByLabel('Your explanation').fill('It was delivered on Monday.');
    await page.getByLabel('Tracking number').fill('JD0002');
    await page.getByRole('button', { name: 'Send evidence' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('Your explanation, Tracking number');
    let lost = 0;
    await page.route('**/evidence', async (route) => {
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Send evidence' }).click();
    await dialog.getByRole('button', { name: 'Try again' }).waitFor();
    expect(lost).toBeGreaterThan(0);
    await page.unroute('**/evidence');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Bank decides').first().waitFor();
    expect(await page.getByRole('list', { name: 'What happened' }).textContent()).toContain('Evidence was sent');
    expect(await reread(first)).toMatchObject({
      status: 'under_review',
      answer: { type: 'evidence', fields: expect.arrayContaining(['explanation', 'tracking_number']) },
    });
  }, 60_000);

  it('are accepted after a confirmation that says what it costs', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: `/disputes/${second.id}` });
    await page.getByRole('button', { name: 'Accept the dispute' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('The customer keeps €27.50, and Stripe closes the dispute.');
    await dialog.getByRole('button', { name: 'Accept the dispute' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('You gave in.').waitFor();
    expect((await reread(second)).status).toBe('accepted');
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Disputes' }).click();
    await page.getByText('No dispute waits for an answer').waitFor();
  });
});
