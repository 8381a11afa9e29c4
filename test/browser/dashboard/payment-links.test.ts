import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aColleague,
  isLoaded,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
let owner: OrganizationUser;
let chair: Body;
beforeAll(async () => {
  host = await startHost();
  chair = await aLink({ amount: 1_250, description: 'One chair' });
  await aLink({ amount: 9_900, description: 'Ten tables', max_payments: 10 });
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const aLink = async (more: object): Promise<Body> =>
  (await host.call('POST', '/v1/payment-links', { currency: 'EUR', ...more })).body;

browserSuite('the list of payment links', (browser) => {
  const open = (path = '/payments/links', person: { readonly cookie: string; readonly org?: string } = owner) =>
    openDashboard(browser(), { host, person, path });
  const rows = (page: Page) => page.getByRole('table', { name: 'Payment links' }).locator('tbody tr');

  it('is reached from the payments, and a search of a link’s ID leads to this link', async () => {
    const page = await open('/payments');
    await page.getByRole('link', { name: 'Payment links' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await rows(page).first().textContent()).toMatch(/Ten tables.*0 of 10.*Never/);
    await page.getByRole('searchbox', { name: 'Search' }).fill(chair.id);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/payments/links\\?id=${chair.id}$`));
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).textContent()).toContain('One chair');
  });

  it('closes a link, which then takes no payment', async () => {
    const page = await open();
    const row = rows(page).filter({ hasText: 'One chair' });
    await row.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated').waitFor();
    expect(await row.getByRole('button', { name: 'Deactivate…' }).count()).toBe(0);
    expect((await host.call('GET', `/v1/payment-links/${chair.id}`)).body.status).toBe('inactive');
    await page.getByLabel('Status', { exact: true }).selectOption('Active');
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  it('lets a viewer copy an address, and close nothing', async () => {
    const page = await open('/payments/links', await aColleague(host, 'viewer'));
    await isLoaded(page);
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Deactivate…' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New payment link' }).count()).toBe(0);
  });

  it(
    'is accessible in both widths and themes',
    () => lookAtScreen(browser(), { host, person: owner, name: 'payment-links', path: '/payments/links' }),
    60_000,
  );
});
