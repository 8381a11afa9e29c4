import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aColleague,
  expectNoAxeFindings,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { acceptInvitation, type OrganizationUser } from '#test/support/members.ts';
import { signIn } from '#test/support/people.ts';
import { codeAt } from '#test/support/totp-app.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const members = (page: Page) => page.getByRole('table', { name: 'Members' });
const memberRow = (page: Page, email: string) => members(page).getByRole('row', { name: new RegExp(email) });
const confirm = (page: Page, title: string, name: string) =>
  dialog(page, title).getByRole('button', { name, exact: true }).click();

browserSuite('the screen Team', (browser) => {
  const open = (path = '', person: { readonly cookie: string } = owner) =>
    openDashboard(browser(), { host, person, path });

  it('invites a member, who joins, gets another role, and is removed', async () => {
    const email = 'clerk@example.com';
    const page = await open('/team');
    await button(page, 'Invite member').click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('radio', { name: /^Viewer/ }).check();
    await confirm(page, 'Invite a member', 'Invite member');
    await memberRow(page, email).getByText('Invited').waitFor();
    const clerk = await acceptInvitation(host, email);
    const asClerk = () => clerk.call('GET', '/v1/organization', undefined, { org: owner.org });
    expect((await asClerk()).body.role).toBe('viewer');
    await page.reload();
    await memberRow(page, email).getByText('Active').waitFor();
    await button(page, `Change the role of ${email}`).click();
    await page.getByRole('radio', { name: /^Member/ }).check();
    await confirm(page, `Change the role of ${email}`, 'Change role');
    await page.getByText(`The role of ${email} is changed.`).waitFor();
    expect((await asClerk()).body.role).toBe('member');
    await button(page, `Remove ${email}`).click();
    await confirm(page, `Remove ${email}?`, 'Remove member');
    await memberRow(page, email).waitFor({ state: 'detached' });
    expect((await asClerk()).body.code).toBe('org_mismatch');
  });

  it('says in the words of the API why an address is refused, and keeps what was typed', async () => {
    const page = await open('/team');
    await button(page, 'Invite member').click();
    await page.getByLabel('Email').fill('kim@shop');
    await confirm(page, 'Invite a member', 'Invite member');
    await dialog(page, 'Invite a member').getByText('Must be an email address.').first().waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('kim@shop');
  });

  it('changes the name and what customers see', async () => {
    const page = await open('/team/organization');
    await button(page, 'Change names').click();
    await page.getByLabel('Name', { exact: true }).fill('Blue Shop');
    await confirm(page, 'Change names', 'Save');
    await page.getByText('The names are changed.').waitFor();
    await page.getByLabel('Support email').fill('help@example.com');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    const [names, settings] = await Promise.all(
      ['', '/settings'].map((path) => owner.request('GET', `/v1/organization${path}`)),
    );
    expect([names?.body.name, settings?.body.support_email]).toEqual(['Blue Shop', 'help@example.com']);
  });

  it('shows a viewer the members and names, and changes nothing but their own membership', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await open('/team', viewer);
    await memberRow(page, owner.user.email).waitFor();
    expect(await page.getByRole('button', { name: /Invite|Change|Remove/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Organization', exact: true }).click();
    await page.getByLabel('Support email').waitFor();
    expect(await page.getByLabel('Support email').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /Change names|^Save$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Members' }).click();
    await button(page, 'Leave organization').click();
    await dialog(page, /^Leave /)
      .getByRole('button', { name: 'Leave organization' })
      .click();
    await expect
      .poll(async () => (await viewer.call('GET', '/v1/organization', undefined, { org: owner.org })).body.code)
      .toBe('org_mismatch');
  });

  it.each([
    ['members', '/team'],
    ['organization', '/team/organization'],
  ])(
    'is accessible in both widths and themes: %s',
    (name, path) => lookAtScreen(browser(), { host, person: owner, path, name: `team-${name}` }),
    60_000,
  );
});

browserSuite('the screen of the own account', (browser) => {
  const open = (person: { readonly cookie: string }) => openDashboard(browser(), { host, person, path: '/account' });

  it('shows where the person is signed in, and ends another session', async () => {
    const [lost, here] = [await signIn(host, 'two@example.com'), await signIn(host, 'two@example.com')];
    const page = await open(here);
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    expect(await rows.count()).toBe(3);
    expect(await rows.filter({ hasText: 'this one' }).getByRole('button').count()).toBe(0);
    await button(page, 'End session').click();
    await confirm(page, 'End this session?', 'End session');
    await page.getByText('The session has ended.').waitFor();
    const [there, here_] = await Promise.all([lost, here].map(({ call }) => call('GET', '/v1/auth/session')));
    expect([there?.status, here_?.status]).toEqual([401, 200]);
  });

  it('sets two-factor authentication up with the secret of the page, and turns it off with a recovery code', async () => {
    const page = await open(await signIn(host, 'factor@example.com'));
    await button(page, 'Set up').click();
    const setUp = dialog(page, 'Set up two-factor authentication');
    const secret = (await setUp.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    const codes = ((await setUp.getByLabel('Recovery codes', { exact: true }).textContent()) ?? '').split('\n');
    expect(await setUp.getByRole('link', { name: 'Open in authenticator app' }).getAttribute('href')).toContain(secret);
    await expectNoAxeFindings(page);
    await setUp.getByLabel('Code of the app').fill(codeAt(secret, host.clock.now()));
    expect(await setUp.getByRole('button', { name: 'Turn on' }).isDisabled()).toBe(true);
    await setUp.getByLabel('I have stored the recovery codes').check();
    await setUp.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Two-factor authentication is on.').waitFor();
    await button(page, 'Turn off').click();
    const off = dialog(page, 'Turn off two-factor authentication?');
    await off.getByLabel('Code').fill('000000');
    await off.getByRole('button', { name: 'Turn off' }).click();
    await off.getByRole('alert').waitFor();
    await off.getByLabel('Code').fill(codes[0] ?? '');
    await off.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-factor authentication is off.').waitFor();
    await button(page, 'Set up').waitFor();
  });

  describe('with a device that has passkeys', () => {
    async function withDevice(page: Page): Promise<void> {
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('WebAuthn.enable');
      const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
      const options = { ...kind, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
      await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
    }

    it('adds a passkey, proves with it ten minutes later, and removes it', async () => {
      const page = await open(await signIn(host, 'passkey@example.com'));
      await withDevice(page);
      await button(page, 'Add passkey').click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
      await confirm(page, 'Add passkey', 'Add passkey');
      await page
        .getByRole('table', { name: 'Passkeys' })
        .getByRole('row', { name: /Laptop/ })
        .waitFor();
      await host.control('POST', '/clock', { advance: '11m' });
      await button(page, 'Remove Laptop').click();
      await confirm(page, 'Remove Laptop', 'Remove passkey');
      await dialog(page, 'Confirm that it is you').getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('The passkey is removed.').waitFor();
      await page.getByText('No passkeys yet').waitFor();
    });

    it('says so where the person declines on their device, and adds nothing', async () => {
      const page = await open(await signIn(host, 'declined@example.com'));
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('WebAuthn.enable');
      await button(page, 'Add passkey').click();
      await page.getByRole('textbox', { name: 'Name' }).fill('None');
      await page.evaluate(
        "navigator.credentials.create = () => Promise.reject(new DOMException('Declined.', 'NotAllowedError'))",
      );
      await confirm(page, 'Add passkey', 'Add passkey');
      await dialog(page, 'Add passkey').getByText('No passkey was created.').waitFor();
      await expectNoAxeFindings(page);
      await dialog(page, 'Add passkey').getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('No passkeys yet').waitFor();
    });
  });

  it('is accessible in both widths and themes', async () => {
    const person = await signIn(host, 'look@example.com');
    await lookAtScreen(browser(), { host, person, path: '/account', name: 'account' });
  }, 60_000);
});
