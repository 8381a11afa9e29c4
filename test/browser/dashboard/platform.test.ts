import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  expectNoAxeFindings,
  isLoaded,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { anOwner, type OrganizationUser } from '#test/support/members.ts';
import { mailedToken } from '#test/support/people.ts';
import { aTotpUser } from '#test/support/totp-app.ts';

let host: TestHost;
/** The demo's owner also runs the platform. */
let admin: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  admin = await theOwner(host);
});
afterAll(() => host?.close());

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const confirm = (page: Page, title: string, name: string) =>
  dialog(page, title).getByRole('button', { name, exact: true }).click();
const organizationOf = async ({ request }: OrganizationUser): Promise<Body> =>
  (await request('GET', '/v1/organization')).body;

/** An owner whose organization waits for verification under this legal name. */
async function aShop(legal_name: string): Promise<OrganizationUser> {
  const owner = await anOwner(host);
  await owner.request('PATCH', '/v1/organization', { name: legal_name, legal_name: `${legal_name} Ltd` });
  return owner;
}

browserSuite('the screen Platform', (browser) => {
  const open = (path = '', person = admin) => openDashboard(browser(), { host, person, path: `/platform${path}` });

  it('approves the identity of an organization, and rejects another with a reason', async () => {
    const [good, bad] = [await aShop('Good Shop'), await aShop('Bad Shop')];
    const page = await open();
    const queue = page.getByRole('table', { name: 'Verification queue' });
    await queue
      .getByRole('row', { name: /Good Shop/ })
      .getByRole('button', { name: 'Approve' })
      .click();
    await dialog(page, 'Approve Good Shop?').getByText('Good Shop Ltd').waitFor();
    await confirm(page, 'Approve Good Shop?', 'Approve identity');
    await page.getByText('Good Shop is approved.').waitFor();
    await queue
      .getByRole('row', { name: /Bad Shop/ })
      .getByRole('button', { name: 'Reject' })
      .click();
    await page.getByLabel('Reason').fill('No such company in the register.');
    await confirm(page, 'Reject Bad Shop?', 'Reject');
    await page.getByText('Bad Shop is rejected.').waitFor();
    expect([(await organizationOf(good)).kyc, (await organizationOf(bad)).kyc]).toEqual(['approved', 'rejected']);
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    const entry = page.getByRole('row', { name: /Identity rejected/ });
    expect(await entry.textContent()).toContain('No such company in the register.');
    await expectNoAxeFindings(page);
  });

  it('lists a new legal name of a verified organization until it is decided', async () => {
    const shop = await aShop('Renamed Shop');
    const { id, legal_name } = await organizationOf(shop);
    await admin.call('POST', '/v1/platform/kyc/approve', { org_id: id, legal_name });
    await shop.request('PATCH', '/v1/organization', { legal_name: 'Newer Shop GmbH' });
    const page = await open();
    const names = page.getByRole('table', { name: 'New legal names' });
    await names
      .getByRole('row', { name: /Newer Shop GmbH/ })
      .getByRole('button', { name: 'Approve' })
      .click();
    await confirm(page, 'Approve Renamed Shop?', 'Approve identity');
    await expect.poll(async () => (await organizationOf(shop)).legal_name).toBe('Newer Shop GmbH');
  });

  it('changes plan, request limits and capacity of an organization', async () => {
    const shop = await aShop('Large Shop');
    const page = await open('/organizations');
    const change = async (what: string) => {
      await page.getByRole('button', { name: 'Change Large Shop' }).click();
      await page.getByRole('button', { name: what }).click();
    };
    await change('Change plan');
    await page.getByRole('radio', { name: /^Growth/ }).check();
    await confirm(page, 'Change the plan of Large Shop', 'Change plan');
    await page.getByText('Large Shop has another plan.').waitFor();
    await change('Change request limits');
    await page.getByLabel('Payments a minute').fill('5000');
    await confirm(page, 'Request limits of Large Shop', 'Change limits');
    await page.getByText('Large Shop has other request limits.').waitFor();
    await change('Change capacity');
    await confirm(page, 'Capacity of Large Shop', 'Spread the lists');
    await page.getByText('The lists of Large Shop have more room.').waitFor();
    const row = page.getByRole('row', { name: /Large Shop Ltd/ });
    await expect.poll(async () => row.textContent()).toMatch(/Growth.*5,000\spayments, 100\schanges, 500\sreads.*16/);
    expect((await organizationOf(shop)).plan).toBe('growth');
  });

  it('adds an administrator and removes them', async () => {
    const page = await open('/administrators');
    await page.getByRole('button', { name: 'Add administrator' }).click();
    await page.getByLabel('Email').fill('second@example.com');
    await confirm(page, 'Add an administrator', 'Add administrator');
    const row = page.getByRole('row', { name: /second@example.com/ });
    await row.waitFor();
    await expectNoAxeFindings(page);
    await row.getByRole('button', { name: 'Remove second@example.com' }).click();
    await confirm(page, 'Remove second@example.com?', 'Remove administrator');
    await row.waitFor({ state: 'detached' });
  });

  it('is neither named nor open to anybody else', async () => {
    const stranger = await anOwner(host);
    const page = await openDashboard(browser(), { host, person: stranger });
    expect(await page.getByRole('link', { name: 'Platform' }).count()).toBe(0);
    await page.goto(`${host.deps.config.pagesUrl}/dashboard/platform`);
    await isLoaded(page);
    await page.getByText('Only who runs the platform may see this.').waitFor();
    // No role in an organization leads here.
    expect(await page.locator('#content').textContent()).not.toContain('owner or admin');
    expect(await page.locator('#content .tabs').count()).toBe(0);
  });

  it('approves the recovery of an account, and rejects another', async () => {
    const [good, bad] = [await aTotpUser(host, 'lost@example.com'), await aTotpUser(host, 'thief@example.com')];
    for (const { user } of [good, bad]) {
      const token = await mailedToken(host, user.email);
      await host.call('POST', '/v1/auth/recovery', { token }, { key: null, idempotencyKey: null });
    }
    const page = await open('/recoveries', await theOwner(host));
    const row = (email: string) => page.getByRole('row', { name: new RegExp(email) });
    await row('lost@example.com').getByRole('button', { name: 'Approve' }).click();
    await confirm(page, 'Approve the recovery of lost@example.com?', 'Approve recovery');
    await row('lost@example.com').getByText('Approved').waitFor();
    await row('thief@example.com').getByRole('button', { name: 'Reject' }).click();
    await page.getByLabel('Reason').fill('They do not know their own number.');
    await expectNoAxeFindings(page);
    await confirm(page, 'Reject the recovery of thief@example.com?', 'Reject recovery');
    await row('thief@example.com').getByText('Rejected').waitFor();
    expect(await row('lost@example.com').textContent()).toContain('owner@demo-shop.example');
  });

  it.each(['', '/organizations', '/recoveries'])(
    'is accessible in both widths and themes: %s',
    async (path) => {
      await aShop(`Shop ${path.slice(1) || 'queue'}`);
      const person = await theOwner(host);
      await lookAtScreen(browser(), {
        host,
        person,
        path: `/platform${path}`,
        name: `platform${path.replace('/', '-')}`,
      });
    },
    60_000,
  );
});
