import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aColleague,
  DESK,
  isLoaded,
  openDashboard,
  PHONE,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { answersOf, everyAddress, fill, goTo, visit } from '#test/browser/dashboard/support/every-screen.ts';
import { dialogFaults, tabFaults, watchKeyboard } from '#test/browser/dashboard/support/keyboard.ts';
import { accessibilityFaults, overflows } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { anOwner, type OrganizationUser } from '#test/support/members.ts';

let host: TestHost;
let owner: OrganizationUser;
let addresses: readonly string[] | undefined;
beforeAll(async () => {
  host = await startHost();
  await fill(host);
  owner = await theOwner(host);
});
afterAll(() => host?.close());

/** What these tests provoke: failing and lost requests. */
const PROVOKED = /status of 5\d\d|ERR_FAILED/;
const SLOW = 120_000;
/** Forms and texts, which have what they need. */
const READS_NOTHING = /^\/(webhooks\/verify|routing\/simulator)$/;

const content = (page: Page) => page.locator('#content');
const title = (page: Page) => content(page).locator('h1');
const skeleton = (page: Page) => content(page).locator('.skeleton[role="status"]').first();
const alerts = (page: Page) => content(page).getByRole('alert');
const tryAgain = (page: Page) => content(page).getByRole('button', { name: 'Try again' });

/** Where the title is, and the tabs if there are some. */
const placesOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate<Record<string, string>>(`Object.fromEntries(
    [...document.querySelectorAll('#content h1, #content .tabs')].map((part) => {
      const { x, y } = part.getBoundingClientRect();
      return [part.nodeName, [x, y + scrollY].map(Math.round).join(', ')];
    }))`);

/** A part that was there before and is elsewhere now. */
const moved = (before: Record<string, string>, after: Record<string, string>): readonly string[] =>
  Object.keys(before).flatMap((part) =>
    after[part] === before[part] ? [] : [`${part} moves from ${before[part]} to ${after[part]}`],
  );

type Look = (address: string, page: Page) => Promise<readonly string[]>;

browserSuite('every screen of the dashboard', (browser) => {
  async function aTab(person: OrganizationUser, options: object = DESK): Promise<Page> {
    const still = { ...options, reducedMotion: 'reduce' } as const;
    const page = await openDashboard(browser(), { host, person, path: '/account', expects: PROVOKED, options: still });
    page.setDefaultTimeout(5_000);
    return page;
  }

  /** Looks at each address in one tab, and lists what is wrong there. */
  async function walk(page: Page, look: Look): Promise<void> {
    const faults: string[] = [];
    addresses ??= await everyAddress(host, page);
    for (const address of addresses) {
      const found = await look(address, page).catch(({ message }: Error) => [message]);
      faults.push(...found.map((fault) => `${address}: ${fault}`));
    }
    expect(faults).toEqual([]);
  }

  it(
    'says that it loads, then that this has failed, and shows what it has after "Try again", without moving',
    async () => {
      const page = await aTab(owner);
      const answers = await answersOf(page);
      await walk(page, async (address) => {
        if (READS_NOTHING.test(address)) return [];
        answers.are('held back');
        await visit(page, address);
        await skeleton(page).waitFor();
        const loading = await placesOf(page);
        answers.are('failing');
        await tryAgain(page).first().waitFor();
        await skeleton(page).waitFor({ state: 'detached' });
        const failed = await placesOf(page);
        answers.are('as ever');
        // One press is for all that has failed, also for what was not shown because of it.
        await tryAgain(page).first().click();
        await tryAgain(page).first().waitFor({ state: 'detached' });
        await isLoaded(page);
        return [...moved(loading, failed), ...moved(failed, await placesOf(page))];
      });
    },
    SLOW,
  );

  it(
    'says on a phone and in the dark that its data could not be loaded, and passes the accessibility check so',
    async () => {
      const page = await aTab(owner, { ...PHONE, colorScheme: 'dark', reducedMotion: 'reduce' });
      const answers = await answersOf(page);
      await walk(page, async (address) => {
        answers.are(READS_NOTHING.test(address) ? 'as ever' : 'failing');
        await goTo(page, address);
        await title(page).waitFor();
        await skeleton(page).waitFor({ state: 'detached' });
        const faults = [...(await accessibilityFaults(page))];
        return (await overflows(page)) ? [...faults, 'scrolls sideways'] : faults;
      });
    },
    SLOW,
  );

  it(
    'says so where the person may not see it, and offers nothing to try again',
    async () => {
      const page = await aTab(owner);
      const answers = await answersOf(page);
      await walk(page, async (address) => {
        // The Lab belongs to whoever runs the machine, and an account to its person.
        if (READS_NOTHING.test(address) || /^\/(lab|account)/.test(address)) return [];
        answers.are('forbidden');
        await goTo(page, address);
        await title(page).waitFor();
        await content(page).getByText('You have no access to this').first().waitFor();
        return (await tryAgain(page).count()) > 0 ? ['offers to try again'] : [];
      });
    },
    SLOW,
  );

  it(
    'shows a viewer what it has, asks the API for nothing that it refuses, and offers no change',
    async () => {
      const page = await aTab(await aColleague(host, 'viewer'));
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403 && !response.url().endsWith('/platform/me')) refused.push(response.url());
      });
      await walk(page, async (address) => {
        if (/^\/(lab|account|platform)/.test(address)) return [];
        refused.length = 0;
        await goTo(page, address);
        await isLoaded(page);
        const changes = await content(page).locator('button:is(.button-primary, .button-danger)').allTextContents();
        const offered = changes.filter((text) => text !== 'Simulate');
        return [...refused.map((url) => `is refused ${url}`), ...offered.map((text) => `offers ${text}`)];
      });
    },
    SLOW,
  );

  it(
    'says in a new organization what will be there',
    async () => {
      const page = await aTab(await anOwner(host));
      await walk(page, async (address) => {
        if (/_\w{26}$/.test(address)) return [];
        await goTo(page, address);
        await isLoaded(page);
        const faults = await alerts(page).allTextContents();
        const empty = await content(page).locator('table:not(:has(tbody tr))').count();
        return empty > 0 ? [...faults, 'a table without rows'] : faults;
      });
    },
    SLOW,
  );

  it(
    'is used by keys alone: each control is reached and shows it, and dialogs hold the focus and give it back',
    async () => {
      const page = await aTab(owner);
      await watchKeyboard(page);
      await page.reload();
      await isLoaded(page);
      await answersOf(page);
      await walk(page, async (address) => {
        await goTo(page, address);
        await isLoaded(page);
        return [...(await tabFaults(page)), ...(await dialogFaults(page))];
      });
    },
    SLOW,
  );
});
