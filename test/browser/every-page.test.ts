import { expect, it } from 'vitest';
import { LANGUAGES } from '#functions/hosted-pages/views/i18n.page.ts';
import { renderError, renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { aCustomer, accessibilityFaults, overflows, SMALL_PHONE } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { ERRORS, VIEWS } from '#test/unit/hosted-pages/link-views.support.ts';

/** A page that opens another one by itself stays here. */
const still = (html: string): string => html.replace(/<meta http-equiv="refresh"[^>]*>/, '');

browserSuite('every page for customers, in a browser', (browser) => {
  it.each(LANGUAGES)(
    'fits on a small phone in %s',
    async (language) => {
      const page = await aCustomer(browser(), SMALL_PHONE);
      const pages = [
        ...[...VIEWS].map(([name, view]) => [name, renderLinkPage(view, language).html] as const),
        ...ERRORS.map((error) => [`error-${error.status}`, renderError(error, language).html] as const),
      ];
      const wide: string[] = [];
      for (const [name, html] of pages) {
        await page.setContent(still(html));
        if (await overflows(page)) wide.push(name);
      }
      expect(wide).toEqual([]);
    },
    60_000,
  );

  it.each(['light', 'dark'] as const)(
    'passes the accessibility check in %s mode',
    async (colorScheme) => {
      const page = await aCustomer(browser(), { ...SMALL_PHONE, colorScheme });
      const faults: string[] = [];
      for (const [name, view] of VIEWS) {
        await page.setContent(still(renderLinkPage(view, 'en').html));
        for (const fault of await accessibilityFaults(page)) faults.push(`${name}: ${fault}`);
      }
      expect(faults).toEqual([]);
    },
    90_000,
  );
});
