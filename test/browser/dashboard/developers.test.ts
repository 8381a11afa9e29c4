import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aColleague,
  expectNoAxeFindings,
  isLoaded,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { mailedToken } from '#test/support/people.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const keyTable = (page: Page) => page.getByRole('table', { name: 'API keys' });

async function fillInKey(page: Page, name: string): Promise<void> {
  await button(page, 'Create key').click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await button(page, 'Read only').click();
  await dialog(page, 'Create an API key').getByRole('button', { name: 'Create key' }).click();
}

/** The text of the key, which the dialog shows this once. */
async function shownKey(page: Page, name: string): Promise<string> {
  const shown = dialog(page, `Your new key: ${name}`);
  const key = (await shown.getByLabel('API key', { exact: true }).textContent()) ?? '';
  await expectNoAxeFindings(page);
  await button(page, 'I have stored it').click();
  return key;
}

const statusWith = async (key: string, path = '/v1/payments?limit=1') =>
  (await host.call('GET', path, undefined, { key })).status;

browserSuite('the screen Developers', (browser) => {
  const open = (path = '', person: OrganizationUser = owner, expects?: RegExp) =>
    openDashboard(browser(), { host, person, path: `/developers${path}`, ...(expects && { expects }) });

  describe('API keys', () => {
    it('creates a key that is shown once and works, and revokes it', async () => {
      const page = await open();
      await fillInKey(page, 'Reporting');
      const key = await shownKey(page, 'Reporting');
      expect([await statusWith(key), await statusWith(key, '/v1/api-keys')]).toEqual([200, 200]);
      await page.reload();
      await isLoaded(page);
      const row = keyTable(page).getByRole('row', { name: /Reporting/ });
      expect(await row.textContent()).toContain('Read only (8)');
      expect(await page.content()).not.toContain(key);
      await row.getByRole('button', { name: 'Revoke Reporting' }).click();
      await dialog(page, 'Revoke Reporting?').getByRole('button', { name: 'Revoke key' }).click();
      await page.getByText('Reporting is revoked.').waitFor();
      expect(await statusWith(key)).toBe(401);
      await row.waitFor({ state: 'detached' });
    });

    it('asks for a proof where the sign-in is older than ten minutes, and then creates the key all the same', async () => {
      await host.control('POST', '/clock', { advance: '11m' });
      const page = await open('', owner);
      await fillInKey(page, 'Proved');
      const proof = dialog(page, 'Confirm that it is you');
      await proof.getByRole('button', { name: `Send a link to ${owner.user.email}` }).click();
      await proof.getByText('We sent a link').waitFor();
      await expectNoAxeFindings(page);
      const link = `${host.deps.config.pagesUrl}/sign-in?token=${await mailedToken(host, owner.user.email)}`;
      await proof.getByLabel('Or paste the link').fill(link);
      await proof.getByRole('button', { name: 'Confirm', exact: true }).click();
      expect(await statusWith(await shownKey(page, 'Proved'))).toBe(200);
      await expect
        .poll(() =>
          keyTable(page)
            .getByRole('row', { name: /Proved/ })
            .count(),
        )
        .toBe(1);
    });

    it('creates no key where the person does not prove who they are', async () => {
      await host.control('POST', '/clock', { advance: '11m' });
      const page = await open();
      await fillInKey(page, 'Unproved');
      await dialog(page, 'Confirm that it is you').getByRole('button', { name: 'Cancel' }).click();
      await dialog(page, 'Create an API key')
        .getByText(/needs a proof of identity/)
        .waitFor();
      await dialog(page, 'Create an API key').getByRole('button', { name: 'Cancel' }).click();
      expect(
        await keyTable(page)
          .getByRole('row', { name: /Unproved/ })
          .count(),
      ).toBe(0);
    });

    it('shows a viewer the keys and no way to change them', async () => {
      const page = await open('', await aColleague(host, 'viewer'));

      await keyTable(page).waitFor();
      expect(await page.getByRole('button', { name: /Create key|Revoke/ }).count()).toBe(0);
    });

    it('says to a member that keys are not theirs to see', async () => {
      const page = await open('', await aColleague(host, 'member'));
      await page.getByText('lacks the scope api_keys:read').waitFor();
      expect(await button(page, 'Create key').count()).toBe(0);
    });
  });

  it('shows why requests fail, with the key that was used', async () => {
    await host.call('GET', '/v1/payments?limit=many');
    const page = await open('/failed-requests');
    const row = page.getByRole('row', { name: /GET \/v1\/payments/ }).first();
    expect(await row.textContent()).toMatch(/400.*invalid_request/);
    expect(await row.getByRole('button', { name: /^Copy: req_/ }).count()).toBe(1);
    await expectNoAxeFindings(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoAxeFindings(page);
  });

  it('shows who created a key, and what changed at a connection', async () => {
    const page = await open('/audit');
    const changes = page.getByRole('table', { name: 'Changes of keys, members and names' });
    expect(await changes.getByRole('row', { name: /API key created Proved/ }).textContent()).toContain(
      owner.user.email,
    );
    const choice = page.getByRole('combobox', { name: 'Changes of' });
    const connection = choice.locator('option', { hasText: 'Stripe' });
    await choice.selectOption((await connection.getAttribute('value')) ?? '');
    await page.getByRole('table', { name: 'Changes of the connection' }).getByText('Created').waitFor();
  });

  it.each([
    ['keys', ''],
    ['audit', '/audit'],
  ])(
    'is accessible in both widths and themes: %s',
    (name, path) =>
      lookAtScreen(browser(), { host, person: owner, path: `/developers${path}`, name: `developers-${name}` }),
    60_000,
  );

  it(
    'has an accessible form for a new key in both widths and themes',
    () =>
      lookAtScreen(browser(), {
        host,
        person: owner,
        path: '/developers',
        name: 'developers-new-key',
        prepare: (page) => button(page, 'Create key').click(),
      }),
    60_000,
  );
});
