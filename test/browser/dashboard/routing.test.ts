import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  aColleague,
  expectNoAxeFindings,
  isLoaded,
  lookAtScreen,
  openDashboard,
  takeScreenshot,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { accessibilityFaults, overflows } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aConnection, type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
let owner: OrganizationUser;
let viewer: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  const { service: key } = host.info.keys;
  for (const [id, provider] of [
    ['adyen_eu', 'adyen'],
    ['mollie_eu', 'mollie'],
  ] as const)
    await aConnection(host, { key }, { id, provider });
  owner = await theOwner(host);
  viewer = await aColleague(host, 'viewer');
});
afterAll(() => host?.close());

const PLAIN = { amount: 5_000, currency: 'EUR' };
const cardPayment = (customer_id: string, token: string): Body => ({
  ...{ ...PLAIN, country: 'DE', customer_id },
  payment_method: { type: 'card', tokens: { adyen: token, mollie: token } },
});
const RULES = [
  { name: 'Germany to Adyen', countries: ['DE'], connection_id: 'adyen_eu', fallback_to_default: true },
  { name: 'Euro countries to Mollie', countries: ['DE', 'FR', 'NL', 'AT'], connection_id: 'mollie_eu' },
  { name: 'iDEAL to Mollie', countries: ['NL'], methods: ['ideal'], connection_id: 'mollie_eu' },
];

/** The same three rules before each test, and nothing else that decides. */
beforeEach(async () => {
  for (const { id } of (await host.call('GET', '/v1/routing-rules')).body)
    await host.call('DELETE', `/v1/routing-rules/${id}`);
  for (const rule of RULES) await host.call('POST', '/v1/routing-rules', rule);
});

const storedOrder = async (): Promise<readonly string[]> =>
  (await host.call('GET', '/v1/routing-rules')).body
    .sort((a: Body, b: Body) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
    .map(({ name }: Body) => name);
const shownOrder = (page: Page): Promise<readonly string[]> => page.locator('.rules .rule .strong').allTextContents();
const handle = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}`) });

async function simulateGermany(page: Page): Promise<string> {
  await page.getByLabel('Country', { exact: true }).fill('DE');
  await page.getByRole('button', { name: 'Simulate' }).click();
  const verdict = page.locator('.simulator-result .alert-title');
  await verdict.waitFor();
  await isLoaded(page);
  return (await verdict.textContent()) ?? '';
}

/** An order that is not saved, with what the last payments would have met. */
async function checkNewOrder(page: Page): Promise<void> {
  await handle(page, 'Euro countries').focus();
  for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Check with the last payments' }).click();
  await page.getByText('would have gone elsewhere').waitFor();
}

browserSuite('the screen Routing', (browser) => {
  it('simulates a reordered rule otherwise, first unsaved and then saved, as payments then go', async () => {
    const { service: key } = host.info.keys;
    for (const country of ['DE', 'FR', 'ES']) await host.call('POST', '/v1/payments', { ...PLAIN, country }, { key });
    const page = await openDashboard(browser(), { host, person: owner, path: '/routing' });
    const [german = '', euro = '', ideal = ''] = RULES.map(({ name }) => name);
    await handle(page, euro).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    expect(await page.locator('[aria-live=assertive]').textContent()).toBe(`Dropped ${euro}, position 1 of 3.`);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(`Move ${euro}, position 1 of 3`);
    expect(await shownOrder(page)).toEqual([euro, german, ideal]);

    await page.getByRole('button', { name: 'Check with the last payments' }).click();
    await page.getByText('1 of the last 3 payments would have gone elsewhere').waitFor();
    expect(await storedOrder()).toEqual([german, euro, ideal]);

    await page.getByRole('link', { name: 'Simulate a payment' }).click();
    await page.getByRole('button', { name: 'New order, not saved' }).waitFor();
    expect(await simulateGermany(page)).toBe('It goes to Mollie, with the new order');
    await page.getByRole('button', { name: 'Saved order' }).click();
    expect(await simulateGermany(page)).toBe('It goes to Adyen');

    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByRole('button', { name: 'Save the order' }).click();
    await page.getByText('The new order is saved').waitFor();
    expect(await storedOrder()).toEqual([euro, german, ideal]);
    await page.getByRole('link', { name: 'Simulator' }).click();
    expect(await simulateGermany(page)).toBe('It goes to Mollie');
    const paid = await host.call('POST', '/v1/payments', { ...PLAIN, country: 'DE' });
    expect(paid.body.connection_id).toBe('mollie_eu');
  }, 60_000);

  it('simulates what its address says, as a payment leads there', async () => {
    const path = '/routing/simulator?amount=700&currency=JPY&country=nl&method=ideal';
    const page = await openDashboard(browser(), { host, person: viewer, path });
    await page.locator('.simulator-result .alert-title').waitFor();
    expect(await page.getByLabel('Amount (JPY)').inputValue()).toBe('700');
    const rules = page.getByRole('list', { name: 'Rules, in order' }).getByRole('listitem');
    expect(await rules.filter({ hasText: 'Germany to Adyen' }).textContent()).toContain(
      'country Netherlands; wants Germany',
    );
  });

  it('moves a rule by dragging, and puts it back with Escape', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/routing' });
    const [german = '', euro = '', ideal = ''] = RULES.map(({ name }) => name);
    const [from, to] = [await handle(page, ideal).boundingBox(), await handle(page, german).boundingBox()];
    await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + 2, { steps: 8 });
    await page.mouse.up();
    expect(await shownOrder(page)).toEqual([ideal, german, euro]);
    await handle(page, ideal).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    expect(await shownOrder(page)).toEqual([german, euro, ideal]);
    await page.keyboard.press('Escape');
    expect(await shownOrder(page)).toEqual([ideal, german, euro]);
    await page.getByRole('button', { name: 'Put back' }).click();
    expect(await shownOrder(page)).toEqual([german, euro, ideal]);
  });

  it('lets a viewer simulate, but change nothing', async () => {
    const page = await openDashboard(browser(), { host, person: viewer, path: '/routing' });
    expect(await shownOrder(page)).toEqual(RULES.map(({ name }) => name));
    expect(await page.getByRole('button', { name: /^Move|New rule|^Change/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Simulator' }).click();
    expect(await simulateGermany(page)).toBe('It goes to Adyen');
    for (const part of ['A/B tests', 'Policies']) {
      await page.getByRole('link', { name: part }).click();
      await isLoaded(page);
      expect(await page.locator('#content').getByRole('button').count()).toBe(0);
    }
    const refused = await page.evaluate(async (org) => {
      const headers = { 'content-type': 'application/json', 'x-org-id': org, 'idempotency-key': 'a viewer' };
      return (await fetch('/v1/routing-rules/order', { method: 'POST', headers, body: '{"rules":[]}' })).status;
    }, viewer.org);
    expect(refused).toBe(403);
  });

  it('makes, edits, turns off and deletes a rule, each after saying what will happen', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/routing' });
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Spain to Stripe');
    await dialog.getByLabel('Countries').fill('es, xyz');
    expect(await dialog.getByText('XYZ is no country code').isVisible()).toBe(true);
    await dialog.getByLabel('Countries').fill('es');
    await dialog.getByLabel('Connection').selectOption({ label: 'Stripe' });
    await dialog.getByLabel('Before all other rules').check();
    await dialog.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByText('Spain to Stripe is created').waitFor();
    expect((await storedOrder())[0]).toBe('Spain to Stripe');

    const open = async (what: string) => {
      await page.getByRole('button', { name: 'Change Spain to Stripe' }).click();
      await page.getByRole('button', { name: what, exact: true }).click();
    };
    await open('Edit');
    await expectNoAxeFindings(page);
    await dialog.getByLabel('Methods').fill('card');
    await dialog.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('Spain to Stripe is saved').waitFor();
    await open('Turn off');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Spain to Stripe is off.').waitFor();
    await open('Delete');
    await dialog.getByRole('button', { name: 'Delete the rule' }).click();
    await page.getByText('Spain to Stripe is deleted').waitFor();
    expect(await storedOrder()).toEqual(RULES.map(({ name }) => name));
  }, 60_000);

  it('makes an A/B test, starts it, draws its results and completes it', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/routing/ab-tests' });
    await page.getByRole('button', { name: 'New A/B test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Adyen or Mollie');
    await dialog.getByLabel('Rule of variant 1').selectOption({ index: 1 });
    await dialog.getByLabel('Rule of variant 2').selectOption({ index: 2 });
    await dialog.getByRole('button', { name: 'Create the draft' }).click();
    const card = page.getByRole('article', { name: 'Adyen or Mollie' });
    await card.getByRole('button', { name: 'Start' }).click();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await card.getByText('Running').waitFor();
    for (let n = 0; n < 6; n += 1)
      await host.call('POST', '/v1/payments', cardPayment(`c${n}`, n % 3 === 0 ? 'decline_card_declined' : 'ok'));
    await host.control('POST', '/drain');
    await page.reload();
    await isLoaded(page);
    const figures = card.getByRole('table', { name: 'Figures of the variants' });
    expect(await figures.getByRole('row').count()).toBe(3);
    await card.getByRole('button', { name: 'Complete' }).click();
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await card.getByText('Completed').waitFor();
  }, 60_000);

  it('saves the fraud policy and a retry policy', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/routing/policies' });
    await page.getByRole('button', { name: 'Edit the fraud policy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('The policy is on').check();
    await dialog.getByRole('button', { name: 'A largest amount' }).click();
    await dialog.getByLabel('Amount 1').fill('250.00');
    await dialog.getByText('Blocked', { exact: true }).click();
    await dialog.getByLabel('Blocked e-mail domains').fill('bad.example');
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('The fraud policy is saved, and on.').waitFor();
    expect((await host.call('GET', '/v1/policies/fraud')).body).toMatchObject({
      enabled: true,
      max_amount: { EUR: 25_000 },
      blocked: { email_domains: ['bad.example'] },
    });
    await page.getByRole('button', { name: 'Policy for a plan' }).click();
    await dialog.getByLabel('Plan ID').fill('gold');
    await dialog.getByLabel('Delays').fill('1d 3d');
    await dialog.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('cell', { name: '1d, then 3d' }).waitFor();
    await page.getByRole('link', { name: 'Simulator' }).click();
    await page.getByText('Customer, capture and token').click();
    await page.getByLabel('E-mail').fill('eve@bad.example');
    expect(await simulateGermany(page)).toBe('It is blocked by the fraud policy');
    await host.call('POST', '/v1/policies/fraud', { enabled: false });
  }, 60_000);

  it(
    'is accessible in all its parts, in both widths and themes',
    () => lookAtScreen(browser(), { host, person: owner, path: '/routing', name: 'routing', prepare: lookAtParts }),
    90_000,
  );
});

/** All parts one after the other, so that they are opened once. What is left at the end is looked at by the caller. */
async function lookAtParts(page: Page): Promise<void> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const look = `${page.viewportSize()?.width}-${isDark ? 'dark' : 'light'}`;
  for (const part of ['A/B tests', 'Policies', 'Simulator']) {
    await page.getByRole('link', { name: part, exact: true }).click();
    await isLoaded(page);
    if (part === 'Simulator') await simulateGermany(page);
    await takeScreenshot(page, `routing-${part.toLowerCase().replace(/\W/g, '')}-${look}`);
    expect({ part, faults: await accessibilityFaults(page), overflows: await overflows(page) }).toEqual({
      ...{ part, faults: [], overflows: false },
    });
  }
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await checkNewOrder(page);
}
