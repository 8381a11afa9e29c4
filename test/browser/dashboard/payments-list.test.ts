import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aColleague,
  expectNoAxeFindings,
  isLoaded,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { signIn } from '#test/support/people.ts';

const FORMULA = '=HYPERLINK("https://evil.example","Click, here")';

let host: TestHost;
let owner: OrganizationUser;
let old: Body;
beforeAll(async () => {
  host = await startHost();
  old = await pay('ok', { amount: 7_700, customer_id: 'customer-7' });
  await host.control('POST', '/clock', { advance: '10d' });
  await pay('ok', { amount: 2_050, description: FORMULA, customer_id: 'customer-7' });
  await pay('decline_insufficient_funds', { amount: 1_000, customer_email: 'ann@example.com' });
  await pay('ok', { amount: 5_000, currency: 'JPY', customer_id: 'customer-8' });
  await pay('ok', { amount: 900, capture: 'manual' });
  await host.control('POST', '/drain');
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const pay = async (token: string, more: Readonly<Record<string, unknown>>): Promise<Body> =>
  (await host.call('POST', '/v1/payments', aPaymentBody(token, more))).body;

/** The amounts of the list, from top to bottom. */
async function amounts(page: Page): Promise<readonly string[]> {
  await isLoaded(page);
  return shownAmounts(page.getByRole('table').first());
}

/** Without the code of the currency, which stands beside it, and the country of its sign. */
const shownAmounts = async (table: Locator): Promise<readonly string[]> =>
  (await table.locator('.money').allTextContents()).map((text) => text.replace(/ [A-Z]{3}$|^JP/g, ''));

const textOf = async (download: Download): Promise<string> => readFileSync(await download.path(), 'utf8');

async function exported(page: Page): Promise<Download> {
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  return download;
}

browserSuite('the list of payments', (browser) => {
  const open = (path = '/payments', person: { readonly cookie: string; readonly org?: string } = owner) =>
    openDashboard(browser(), { host, person, path });

  it('shows the newest first, with why one failed, and reads one page of the API for it', async () => {
    const page = await open('');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/v1/payments') && asked.push(request.url()));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('table', { name: 'Payments, newest first' }).waitFor();
    expect(await amounts(page)).toEqual(['€9.00', '¥5,000', '€10.00', '€20.50', '€77.00']);
    expect(asked.filter((url) => /\/v1\/payments(\?|$)/.test(url)).length).toBe(1);
    const failed = page.getByRole('row', { name: /€10\.00/ });
    expect(await failed.textContent()).toMatch(/Failed.*Insufficient funds.*ann@example\.com/);
  });

  it('has its filters in its address: they survive a reload, and the back button undoes them', async () => {
    const page = await open();
    await page.getByLabel('Status', { exact: true }).selectOption('Failed');
    await page.waitForURL(/\?status=failed$/);
    expect(await amounts(page)).toEqual(['€10.00']);
    await page.reload();
    expect(await amounts(page)).toEqual(['€10.00']);
    await page.goBack();
    await page.waitForURL(/\/payments$/);
    await expect.poll(() => amounts(page)).toHaveLength(5);
    await page.getByLabel('Currency').fill('jpy');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?currency=jpy$/);
    expect(await amounts(page)).toEqual(['¥5,000']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => amounts(page)).toHaveLength(5);
    await page.getByLabel('Connection').selectOption({ index: 1 });
    await page.waitForURL(new RegExp(`connection_id=${old.connection_id}$`));
    expect(await amounts(page)).toHaveLength(5);
  });

  it('shows a period that ends now, or days of one’s own', async () => {
    const page = await open();
    await page.getByLabel('Created', { exact: true }).selectOption('Last 7 days');
    await page.waitForURL(/\?created=7d$/);
    await expect.poll(() => amounts(page)).toHaveLength(4);
    await page.getByLabel('Created', { exact: true }).selectOption('Choose dates');
    await page.getByLabel('Until').fill(old.created_at.slice(0, 10));
    await page.waitForURL(/to=\d{4}-\d\d-\d\d/);
    await expect.poll(() => amounts(page)).toEqual(['€77.00']);
    await expectNoAxeFindings(page);
  });

  it('says that nothing matches, and that there is nothing yet', async () => {
    const page = await open('/payments?customer_id=nobody');
    await page.getByText('No payment matches these filters').waitFor();
    const newcomer = await signIn(host, 'first-day@example.com');
    const empty = await open('/payments', newcomer);
    await empty.getByText('No payments yet').waitFor();
  });

  it('shows payments in spite of filters of an address that mean nothing', async () => {
    const page = await open('/payments?status=nonsense&created=ever&from=2026-99-99x&to=soon');
    expect(await amounts(page)).toHaveLength(5);
    expect(await page.getByLabel('Status').inputValue()).toBe('');
    expect(new URL(page.url()).searchParams.has('status')).toBe(false);
    expect(new URL(page.url()).searchParams.has('created')).toBe(false);
  });

  it('finds payments by their provider’s reference or an email address, and a customer with their payments', async () => {
    const page = await open();
    await page.getByRole('searchbox', { name: 'ID, reference, customer or email' }).fill(old.psp_reference);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?search=/);
    const found = page.getByRole('table', { name: 'Search results' });
    expect(await found.getByRole('link').getAttribute('href')).toBe(`/dashboard/payments/${old.id}`);
    expect(await shownAmounts(found)).toEqual(['€77.00']);
    await page.getByRole('searchbox', { name: 'ID, reference, customer or email' }).fill('ann@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => shownAmounts(found)).toEqual(['€10.00']);
    await page.goto(`${host.deps.config.pagesUrl}/dashboard/payments?search=customer-7`);
    const theirs = page.getByRole('table', { name: 'Payments of customer-7' });
    await theirs.waitFor();
    expect(await shownAmounts(theirs)).toEqual(['€20.50', '€77.00']);
    await expectNoAxeFindings(page);
    await page.goto(`${host.deps.config.pagesUrl}/dashboard/payments?search=pay_nothing`);
    await page.getByText('Nothing was found').waitFor();
  });

  it('keeps a view under a name in this browser, until it is deleted', async () => {
    const page = await open('/payments?status=succeeded&customer_id=customer-7');
    await page.getByRole('button', { name: 'Save view…' }).click();
    await page.getByLabel('Name').fill('Failed');
    expect(await page.getByText('Another view has this name.').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Name').fill('Our regular');
    await page.keyboard.press('Enter');
    await page.goto(`${host.deps.config.pagesUrl}/dashboard/payments`);
    await page.getByRole('link', { name: 'Our regular' }).click();
    await page.waitForURL(/status=succeeded&customer_id=customer-7$/);
    expect(await amounts(page)).toEqual(['€20.50', '€77.00']);
    expect(await page.getByRole('link', { name: 'Our regular' }).getAttribute('aria-current')).toBe('page');
    await page.getByRole('button', { name: 'Delete the view Our regular' }).click();
    await page.getByRole('button', { name: 'Save view…' }).waitFor();
    await page.reload();
    await isLoaded(page);
    expect(await page.getByRole('link', { name: 'Our regular' }).count()).toBe(0);
  });

  it('exports what is filtered as CSV, in which no cell is a formula', async () => {
    const page = await open('/payments?customer_id=customer-7');
    const download = await exported(page);
    expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await textOf(download)).split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFid,created_at,status,amount,currency,/);
    expect(lines.length).toBe(4);
    expect(lines[1]).toContain(',succeeded,20.50,EUR,0.00,card,');
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.example"",""Click, here"")"`);
    expect(lines[2]).toContain(`${old.id},${old.created_at},succeeded,77.00,EUR,`);
    await page.getByText('2 payments were exported.').waitFor();
  });

  it('stops an export that fails, says so, and tries again', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/payments', expects: /net::ERR/ });
    await page.route(/\/v1\/payments\?.*limit=200/, (route) => route.abort());
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText('The export has stopped. No file was saved.').waitFor();
    await expectNoAxeFindings(page);
    await page.unroute(/\/v1\/payments\?.*limit=200/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect((await textOf(download)).split('\r\n').length).toBe(7);
  });

  it('makes one payment link of a double click, and shows its address to copy', async () => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New payment link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount (EUR)').fill('12,50');
    await dialog.getByLabel('Description').fill('One chair');
    await dialog.getByLabel('Expires').selectOption('In 7 days');
    await dialog.getByRole('button', { name: 'Create link for €12.50' }).dblclick();
    await page.getByText('The payment link is ready').waitFor();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const url = await page.evaluate<string>('navigator.clipboard.readText()');
    const { payment_links: links } = (await host.call('GET', '/v1/payment-links')).body;
    expect(links).toMatchObject([{ url, amount: 1_250, currency: 'EUR', description: 'One chair', max_payments: 1 }]);
    expect(Date.parse(links[0].expires_at) - Date.parse(links[0].created_at)).toBeGreaterThan(6.9 * 86_400_000);
    expect(await (await fetch(url)).text()).toContain('One chair');
  });

  it('offers a link in a currency without decimals only for whole amounts', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'New payment link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount (EUR)').fill('12.50');
    await dialog.getByLabel('Currency').selectOption('JPY');
    expect(await dialog.getByLabel('Amount (JPY)').inputValue()).toBe('');
    expect(await dialog.getByRole('button', { name: 'New payment link' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Amount (JPY)').fill('500');
    await dialog.getByRole('button', { name: /Create link for (JP)?¥500/ }).waitFor();
  });

  it('lets a viewer look and export, and offers no payment link', async () => {
    const page = await open('/payments', await aColleague(host, 'viewer'));
    expect(await amounts(page)).toHaveLength(5);
    expect(await page.getByRole('button', { name: 'New payment link' }).count()).toBe(0);
    expect((await textOf(await exported(page))).split('\r\n').length).toBe(7);
  });

  it('leads to a payment with the keyboard alone', async () => {
    const page = await open();
    await page.getByRole('link', { name: /€9.00/ }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/payments\/pay_/);
  });

  it('speaks the language of its reader', async () => {
    const page = await openDashboard(browser(), {
      host,
      person: owner,
      path: '/payments',
      options: { locale: 'de-DE', viewport: { width: 1_440, height: 900 } },
    });
    await page.getByRole('heading', { name: 'Zahlungen' }).waitFor();
    expect(await page.getByRole('row', { name: /10,00/ }).textContent()).toMatch(
      /Fehlgeschlagen.*Guthaben reicht nicht/,
    );
  });

  const look = (name: string, path: string, prepare?: (page: Page) => Promise<void>) =>
    lookAtScreen(browser(), { host, person: owner, name, path, ...(prepare && { prepare }) });

  it('is accessible in both widths and themes', () => look('payments', '/payments'), 60_000);

  it(
    'is accessible with its dialog for a payment link in both widths and themes',
    () =>
      look('payments-new-link', '/payments', async (page) => {
        await page.getByRole('button', { name: 'New payment link' }).click();
        await page.getByRole('dialog').getByLabel('Amount (EUR)').fill('12.50');
      }),
    60_000,
  );
});
