import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aColleague,
  DESK,
  expectNoAxeFindings,
  isLoaded,
  openDashboard,
  PHONE,
  takeScreenshot,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { aCustomer, overflows } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import { acceptInvitation, anOwner, type OrganizationUser } from '#test/support/members.ts';
import { mailedToken } from '#test/support/people.ts';

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  await host.call('POST', '/v1/payments', aPaymentBody('ok', { customer_id: 'cus_shell' }));
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const title = (page: Page) => page.locator('#content h1');
const path = (page: Page): string => new URL(page.url()).pathname;
const chosenColour = (page: Page): Promise<string> =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

browserSuite('the frame of the dashboard', (browser) => {
  const open = (more: Partial<Parameters<typeof openDashboard>[1]> = {}): Promise<Page> =>
    openDashboard(browser(), { host, person: owner, ...more });

  describe('signing in', () => {
    it('leads from the mailed link to Today', async () => {
      const page = await aCustomer(browser(), DESK);
      const token = await mailedToken(host, owner.user.email);
      await page.goto(`${host.deps.config.pagesUrl}/sign-in?token=${token}`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await title(page).getByText('Today').waitFor();
      expect(path(page)).toBe('/dashboard');
      expect(await page.locator('.stage').textContent()).toBe('Sandbox');
    });

    it('comes back to the page that was opened without a session', async () => {
      const page = await aCustomer(browser(), DESK);
      await page.goto(`${host.deps.config.pagesUrl}/dashboard?days=30`);
      await page.getByLabel('Email address').waitFor();
      expect(new URL(page.url()).searchParams.get('next')).toBe('/dashboard?days=30');
    });

    it('asks to sign in again when the session has ended, and keeps what is on the screen', async () => {
      const person = await theOwner(host);
      const page = await openDashboard(browser(), { host, person });
      await person.call('POST', '/v1/auth/logout');
      await page.getByRole('button', { name: '30 days' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(true);
      await expectNoAxeFindings(page);
      await dialog.getByRole('link', { name: 'Sign in' }).click();
      await page.getByLabel('Email address').waitFor();
      expect(new URL(page.url()).searchParams.get('next')).toBe('/dashboard?days=30');
    });

    it('goes on with what was typed once the same person has signed in again in another tab', async () => {
      const page = await open({ path: '/payments/links' });
      const cookies = await page.context().cookies();
      await page.getByRole('button', { name: 'New payment link' }).first().click();
      const form = page.getByRole('dialog', { name: 'New payment link' });
      await form.getByLabel('Amount (EUR)').fill('12.50');
      await form.getByLabel('Description').fill('Typed before the session ended');
      await page.context().clearCookies();
      await form.locator('[type=submit]').click();
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      await ended.waitFor();
      const comeBack = async (): Promise<void> => {
        const asked = page.waitForResponse('**/v1/auth/session');
        await page.evaluate("dispatchEvent(new Event('focus'))");
        await (await asked).finished();
      };
      await comeBack();
      expect(await ended.isVisible()).toBe(true);
      await page.context().addCookies(cookies);
      await comeBack();
      await ended.waitFor({ state: 'detached' });
      await form.locator('[type=submit]').click();
      await page.getByText('The payment link is ready').waitFor();
      const { body } = await host.call('GET', '/v1/payment-links');
      expect(body.payment_links[0]).toMatchObject({ amount: 1_250, description: 'Typed before the session ended' });
    });

    it('signs out from the menu, which ends the session', async () => {
      const person = await theOwner(host);
      const page = await openDashboard(browser(), { host, person });
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Email address').waitFor();
      expect((await person.call('GET', '/v1/auth/session')).status).toBe(401);
    });

    it('shows nothing of a person who has signed out: not in another tab, and not by the back button', async () => {
      const person = await theOwner(host);
      const page = await openDashboard(browser(), { host, person, path: '/payments' });
      const other = await page.context().newPage();
      await other.goto(page.url());
      await isLoaded(other);
      await page.getByRole('link', { name: 'Today' }).first().click();
      await title(page).getByText('Today').waitFor();
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Email address').waitFor();
      await other.getByLabel('Email address').waitFor();
      await page.goBack();
      await page.getByLabel('Email address').waitFor();
      expect(await page.evaluate<string | null>("localStorage.getItem('payfork.user')")).toBeNull();
    });

    it('looks again who is signed in when the browser brings back a page as it was left', async () => {
      const person = await theOwner(host);
      const page = await openDashboard(browser(), { host, person });
      await person.call('POST', '/v1/auth/logout');
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
      await page.getByLabel('Email address').waitFor();
    });

    it('says so where signing out fails, and stays', async () => {
      const page = await openDashboard(browser(), { host, person: await theOwner(host), expects: /ERR_FAILED/ });
      await page.route('**/v1/auth/logout', (route) => route.abort());
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('.toast').getByText('Payfork could not be reached.').waitFor();
      expect(path(page)).toBe('/dashboard');
    });
  });

  describe('the keyboard', () => {
    it('goes to a place with g and its letter', async () => {
      const page = await open();
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await title(page).getByText('Payments').waitFor();
      expect(path(page)).toBe('/dashboard/payments');
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await title(page).getByText('Today').waitFor();
    });

    it('goes there also when the navigation is drawn anew between the two keys', async () => {
      const person = owner;
      const page = await openDashboard(browser(), { host, person, path: '/account' });
      const answer = Promise.withResolvers<void>();
      await page.route('**/v1/platform/me', async (route) => {
        await answer.promise;
        await route.fulfill({ json: { role: 'platform_owner' } });
      });
      await page.reload();
      await title(page).waitFor();
      await page.keyboard.press('g');
      answer.resolve();
      await page.locator('.sidebar').getByRole('link', { name: 'Platform' }).waitFor();
      await page.keyboard.press('p');
      await page.waitForURL('**/dashboard/payments');
    });

    it('leaves letters alone that are typed into a field', async () => {
      const page = await open();
      await page.keyboard.press('/');
      await page.keyboard.type('gp?');
      expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('gp?');
      expect(path(page)).toBe('/dashboard');
    });

    it('shows its shortcuts with a question mark, and gives the focus back', async () => {
      const page = await open();
      const menu = page.getByRole('button', { name: 'Your menu' });
      await menu.focus();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.getByText('Go to Payments').waitFor();
      await expectNoAxeFindings(page);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      expect(await menu.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    });

    it('skips the navigation with the first Tab', async () => {
      const page = await open();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');
    });
  });

  describe('the search', () => {
    it('opens the only record that it finds', async () => {
      const [{ id }] = (await host.call('GET', '/v1/payments')).body.payments;
      const page = await open();
      await page.keyboard.press('/');
      await page.keyboard.type(id);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/dashboard/payments/${id}`);
    });

    it('says so if nothing is found', async () => {
      const page = await open();
      await page.getByRole('searchbox', { name: 'Search' }).fill('pay_nothing');
      await page.keyboard.press('Enter');
      await page.getByText('Nothing was found.').waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByText('Nothing was found.').isVisible()).toBe(false);
    });
  });

  describe('how it looks', () => {
    it('keeps the chosen theme over a reload, whatever the system wants', async () => {
      const page = await open({ options: { ...DESK, colorScheme: 'light' } });
      const light = await chosenColour(page);
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByRole('button', { name: 'Dark' }).click();
      const dark = await chosenColour(page);
      expect(dark).not.toBe(light);
      await expectNoAxeFindings(page);
      await takeScreenshot(page, 'user-menu');
      await page.reload();
      await isLoaded(page);
      expect(await chosenColour(page)).toBe(dark);
    });

    it.each([
      ['de-DE', 'Heute', 'Zahlungen', 'Erfolgsquote'],
      ['fr-FR', 'Aujourd’hui', 'Paiements', 'Taux de réussite'],
      ['es-ES', 'Hoy', 'Pagos', 'Tasa de éxito'],
      ['nl-NL', 'Vandaag', 'Betalingen', 'Slagingspercentage'],
      ['pt-PT', 'Hoje', 'Pagamentos', 'Taxa de sucesso'],
    ])('speaks %s, as the browser asks', async (locale, today, payments, rate) => {
      const page = await open({ options: { ...PHONE, locale } });
      expect(await title(page).textContent()).toBe(today);
      await page.locator('.bottom-bar').getByText(payments).waitFor();
      await page.getByText(rate).first().waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      expect(await overflows(page)).toBe(false);
    });

    it('changes the language at once, and keeps it', async () => {
      const page = await open();
      await page.getByRole('button', { name: 'Your menu' }).click();
      await page.getByLabel('Language').selectOption('de');
      await title(page).getByText('Heute').waitFor();
      await page.reload();
      await title(page).getByText('Heute').waitFor();
    });

    it('has all places behind one button on a phone', async () => {
      const page = await open({ options: PHONE });
      await page.getByRole('button', { name: 'More' }).click();
      const drawer = page.getByRole('dialog', { name: 'More' });
      await expectNoAxeFindings(page);
      await takeScreenshot(page, 'navigation-390');
      await drawer.getByRole('link', { name: 'Team' }).click();
      await title(page).getByText('Team').waitFor();
      expect(await drawer.isVisible()).toBe(false);
    });
  });

  it.each(['/nowhere', '/payments/%E0%A4%A'])('says that a page does not exist, within its frame: %s', async (path) => {
    const page = await open({ path });
    expect(await title(page).textContent()).toBe('There is no such page');
    await expectNoAxeFindings(page);
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await title(page).getByText('Today').waitFor();
  });

  it('shows a viewer nothing that the API would refuse them', async () => {
    const page = await openDashboard(browser(), { host, person: await aColleague(host, 'viewer') });
    await page.getByRole('link', { name: 'Payments' }).first().click();
    await title(page).getByText('Payments').waitFor();
    expect(await page.getByRole('button', { name: 'New payment link' }).count()).toBe(0);
  });

  it('switches the organization, and shows nothing of the other one', async () => {
    const other = await anOwner(host);
    await other.request('POST', '/v1/members', { email: owner.user.email, role: 'viewer' });
    const person = await acceptInvitation(host, owner.user.email);
    const page = await openDashboard(browser(), { host, person });
    await page.locator('.stat').first().waitFor();
    // An answer that comes after the switch is one about the other organization.
    let answer = (): void => undefined;
    await page.route('**/v1/search**', async (route) => {
      const response = await route.fetch();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ response }).catch(() => undefined);
    });
    const fetched = page.waitForRequest('**/v1/search**');
    await page.getByRole('searchbox', { name: 'Search' }).fill('cus_shell');
    await page.keyboard.press('Enter');
    await fetched;
    await page.getByRole('button', { name: /^Organization: / }).click();
    await takeScreenshot(page, 'organization-menu');
    await page.locator('.menu-item', { hasText: 'Viewer' }).click();
    await page.getByText('No payments in this period').waitFor();
    const late = page.waitForResponse('**/v1/search**');
    answer();
    await (await late).finished();
    expect(await page.locator('.search-panel').count()).toBe(0);
    await page.reload();
    await page.getByText('No payments in this period').waitFor();
  });

  it('keeps the organization of each tab, and opens a new one in that of the tab looked at last', async () => {
    const [, second] = (await owner.call('GET', '/v1/auth/session')).body.organizations;
    const page = await open();
    const menu = (tab: Page) => tab.getByRole('button', { name: /^Organization: / });
    const before = await menu(page).textContent();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await isLoaded(other);
    await menu(other).click();
    await other.locator('.menu-item', { hasText: 'Viewer' }).click();
    await expect.poll(() => menu(other).textContent()).toContain(second.name);
    await page.reload();
    await isLoaded(page);
    await other.reload();
    await isLoaded(other);
    expect([await menu(page).textContent(), await menu(other).textContent()]).toEqual([
      before,
      expect.stringContaining(second.name),
    ]);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    const opened = await page.context().newPage();
    await opened.goto(page.url());
    await isLoaded(opened);
    expect(await menu(opened).textContent()).toBe(before);
  });
});
