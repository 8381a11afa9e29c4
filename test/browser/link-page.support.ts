import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  locale: 'en-GB',
};
export const SMALL_PHONE: BrowserContextOptions = { ...PHONE, viewport: { width: 320, height: 568 } };
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1_280, height: 800 }, locale: 'en-GB' };

/** A customer with a browser of their own. A script error or a violation of the page's policy fails the test. */
export async function aCustomer(browser: Browser, options: BrowserContextOptions = DESKTOP): Promise<Page> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d|favicon/.test(message.text())) errors.push(message.text());
  });
  onTestFinished(() => expect(errors).toEqual([]));
  return page;
}

/** Violations of WCAG 2.2 AA that axe finds, each with its rule and element. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Half a megabyte of script: bringing it to a page takes longer than a look at it.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // What passes is not described element by element: that takes longer than to find it.
    return (await run({ runOnly, resultTypes: ['violations'] })).violations;
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Whether the page scrolls sideways. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

export const view = (page: Page): Promise<string | null> =>
  page.locator('[data-view]').first().getAttribute('data-view');
