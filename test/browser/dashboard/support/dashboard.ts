import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { accessibilityFaults, overflows, PHONE } from '#test/browser/link-page.support.ts';
import type { TestHost } from '#test/support/host.ts';
import { aMember, inOrganization, type OrganizationUser } from '#test/support/members.ts';
import { signIn } from '#test/support/people.ts';

export const DESK: BrowserContextOptions = { viewport: { width: 1_440, height: 900 }, locale: 'en-GB' };
export { PHONE };

const WIDTHS = [DESK, PHONE] as const;
const THEMES = ['light', 'dark'] as const;

/** The owner of the demo organization, whose API keys are those of `host.info.keys`. Signs in by a mailed link. */
export async function theOwner(host: TestHost): Promise<OrganizationUser> {
  const person = await signIn(host, 'owner@demo-shop.example');
  return inOrganization(person, person.org);
}

/** Somebody of the same organization with another role, such as `viewer`. */
export const aColleague = async (host: TestHost, role: string): Promise<OrganizationUser> =>
  aMember(host, await theOwner(host), role);

type Visit = {
  readonly host: TestHost;
  /** `org`: the organization that is looked at first. */
  readonly person: { readonly cookie: string; readonly org?: string };
  /** Below /dashboard, such as `/payments`. Default: Today. */
  readonly path?: string;
  readonly options?: BrowserContextOptions;
  /** Errors of the console that this test provokes. Others fail it. */
  readonly expects?: RegExp;
};

/** A tab of its own in which this person is signed in. It fails the test for script errors and broken policies. */
export async function openDashboard(browser: Browser, visit: Visit): Promise<Page> {
  const { host, person, path = '', options = DESK, expects = /$^/ } = visit;
  // A browser with a window lets a click write to the clipboard. The shell wants it said.
  const context = await browser.newContext({ permissions: ['clipboard-write'], ...options });
  onTestFinished(() => context.close());
  const { pagesUrl } = host.deps.config;
  const [name = '', value = ''] = person.cookie.split('=');
  await context.addCookies([{ name, value, url: pagesUrl, httpOnly: true, secure: true, sameSite: 'Lax' }]);
  await context.addInitScript((org) => {
    if (org && localStorage.getItem('payfork.organization') === null) localStorage.setItem('payfork.organization', org);
  }, person.org);
  if (SLOW_ANSWERS) await slowDown(context, Number(SLOW_ANSWERS));
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (line) => {
    const text = line.text();
    if (line.type() === 'error' && !/status of 4\d\d|favicon/.test(text) && !expects.test(text)) errors.push(text);
  });
  onTestFinished(() => expect(errors).toEqual([]));
  await page.goto(`${pagesUrl}/dashboard${path}`);
  await isLoaded(page);
  return page;
}

/** Each answer of the API comes up to so many milliseconds later: shows which test looks before a screen is complete. */
const slowDown = (context: BrowserContext, most: number): Promise<unknown> =>
  context.route(/\/v1\//, async (route) => {
    await setTimeout(Math.random() * most);
    await route.fallback();
  });

/** The screen has its title, and nothing on it is loading any more. */
export async function isLoaded(page: Page): Promise<void> {
  await page.locator('#content h1').waitFor();
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Rules of WCAG 2.2 AA and the best practices of axe, on what is seen now (also in an open dialog). */
export const expectNoAxeFindings = async (page: Page): Promise<void> =>
  expect(await accessibilityFaults(page)).toEqual([]);

// biome-ignore lint/style/noProcessEnv: only who runs the tests knows whether somebody looks at pictures, or for races.
const { SCREENSHOTS, SLOW_ANSWERS } = process.env;

/** Keeps a picture in the folder that SCREENSHOTS names, and none without it. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true, animations: 'disabled' });
}

type Look = Visit & {
  readonly name: string;
  /** Brings the screen into the state that is looked at, such as an open dialog. */
  readonly prepare?: (page: Page) => Promise<void>;
};

/**
 * Shows a screen in both widths and both themes: it has no findings of axe and does not scroll sideways. It is opened
 * once, and follows the window as it does for people who turn their phone or their lights.
 */
export async function lookAtScreen(browser: Browser, { name, prepare, ...visit }: Look): Promise<void> {
  // Without motion, so that no colour is looked at on its way from one theme to the other.
  const page = await openDashboard(browser, { ...visit, options: { ...DESK, reducedMotion: 'reduce' } });
  await prepare?.(page);
  for (const { viewport } of WIDTHS) {
    if (viewport) await page.setViewportSize(viewport);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
      const look = `${viewport?.width}-${colorScheme}`;
      await takeScreenshot(page, `${name}-${look}`);
      const found = { look, faults: await accessibilityFaults(page), overflows: await overflows(page) };
      expect(found).toEqual({ look, faults: [], overflows: false });
    }
  }
  await page.context().close();
}
