import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  aCustomer,
  accessibilityFaults,
  DESKTOP,
  overflows,
  PHONE,
  SMALL_PHONE,
  view,
} from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aLink, getLink } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, drain } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const statuses = async (link: Body): Promise<string[]> => {
  await drain(host);
  return (await host.call('GET', '/v1/payments?limit=200')).body.payments
    .filter((p: Body) => p.payment_link_id === link.id)
    .map((p: Body) => p.status);
};

browserSuite('a payment link in a browser', (browser) => {
  it.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('is paid on %s', async (_, device) => {
    const link = await aLink(host, { description: 'Chair & table' });
    const page = await aCustomer(browser(), device);
    await page.goto(link.url);
    expect(await page.title()).toContain('50');
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(new RegExp(`/pay/${link.id}`));
    expect(await view(page)).toBe('succeeded');
    expect([await statuses(link), (await getLink(host, link.id)).status]).toEqual([['succeeded'], 'completed']);
  });

  it('is paid after the card was declined on the provider’s page', async () => {
    const link = await aLink(host);
    const page = await aCustomer(browser());
    await page.goto(link.url);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(new RegExp(`/pay/${link.id}`));
    expect([await view(page), await statuses(link)]).toEqual(['succeeded', ['succeeded']]);
  });

  it('offers another try after a failed payment, and says why it failed', async () => {
    const link = await aLink(host);
    const page = await aCustomer(browser());
    await page.goto(link.url);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    const [{ id }] = (await host.call('GET', '/v1/payments?limit=1')).body.payments;
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'failed' });
    await drain(host);
    await page.goto(`${host.info.api}/pay/return/${id}?t=${await tokenOf(page, link)}`);
    expect(await view(page)).toBe('form');
    expect(await page.getByRole('alert').textContent()).toMatch(/\w/);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(new RegExp(`/pay/${link.id}`));
    expect([await view(page), await statuses(link)]).toEqual(['succeeded', ['succeeded', 'failed']]);
  });

  it.each([
    ['Authenticate', ['succeeded']],
    ['Fail', ['requires_action']],
  ])('goes through 3-D Secure: %s', async (button, expected) => {
    const link = await aLink(host);
    await arrange(host, 'requires_action');
    const page = await aCustomer(browser(), PHONE);
    await page.goto(link.url);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/stripe\/3ds\//);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(button === 'Fail' ? /\/stripe\/pay\// : new RegExp(`/pay/${link.id}`));
    expect(await statuses(link)).toEqual(expected);
    if (button === 'Authenticate') expect(await view(page)).toBe('succeeded');
  });

  it('shows that the link has expired', async () => {
    const { now } = (await host.control('GET', '/clock')).body;
    const link = await aLink(host, { expires_at: new Date(Date.parse(now) + 60_000).toISOString() });
    const page = await aCustomer(browser(), PHONE);
    await page.goto(link.url);
    await advance(host, '2m');
    await page.locator('button[value="start"]').click();
    expect(await view(page)).toBe('closed-expired');
    await page.goto(link.url);
    expect([await view(page), await accessibilityFaults(page), await statuses(link)]).toEqual([
      'closed-expired',
      [],
      [],
    ]);
  });

  it('closes the page at the provider after half an hour', async () => {
    const link = await aLink(host);
    const page = await aCustomer(browser());
    await page.goto(link.url);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    await advance(host, '31m');
    await page.reload();
    expect(await page.getByRole('heading').textContent()).toContain('closed');
    await page.goto(link.url);
    expect([await view(page), await statuses(link)]).toEqual(['form', ['failed']]);
  });

  it('works with the keyboard alone, and shows the focus', async () => {
    const link = await aLink(host, { methods: ['card', 'ideal'] });
    const page = await aCustomer(browser());
    await page.goto(link.url);
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.locator('button[value="start"]:focus').count()) === 1) break;
    }
    const outline = await page
      .locator('button[value="start"]:focus')
      .evaluate('(button) => getComputedStyle(button).outlineStyle');
    expect(outline).not.toBe('none');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/stripe\/pay\//);
  });

  it('is busy for others while a customer pays, and offers the form again after a cancellation', async () => {
    const link = await aLink(host);
    const page = await aCustomer(browser());
    await page.goto(link.url);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    const held = await aCustomer(browser());
    await held.goto(link.url);
    expect([await view(held), await accessibilityFaults(held)]).toEqual(['closed-busy', []]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/(pay|stripe)\//);
  });

  it.each([
    ['a small phone in light mode', SMALL_PHONE, 'light'],
    ['a phone in dark mode', PHONE, 'dark'],
    ['a desktop in light mode', DESKTOP, 'light'],
    ['a desktop in dark mode', DESKTOP, 'dark'],
  ] as const)('fits on %s and passes the accessibility check', async (_, device, colorScheme) => {
    const link = await aLink(host, {
      description: `A ${'very '.repeat(20)}longishwordthatdoesnotbreak${'x'.repeat(80)}`,
      methods: ['card', 'ideal', 'bancontact'],
    });
    const page = await aCustomer(browser(), { ...device, colorScheme });
    await page.goto(link.url);
    expect([await overflows(page), await accessibilityFaults(page)]).toEqual([false, []]);
  });

  it('is shown in the language of the browser', async () => {
    const link = await aLink(host);
    for (const [locale, lang, sum] of [
      ['de-AT', 'de', /50,00\s€/],
      ['fr-FR', 'fr', /50,00\s€/],
      ['en-US', 'en', /€50\.00/],
      ['ja-JP', 'en', /€50\.00/],
    ] as const) {
      const page = await aCustomer(browser(), { locale });
      await page.goto(link.url);
      expect(await page.locator('html').getAttribute('lang'), locale).toBe(lang);
      expect(await page.locator('main').textContent(), locale).toMatch(sum);
    }
  });

  it('shows markup in a description as text', async () => {
    const nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>"\'&';
    const link = await aLink(host, { description: nasty });
    const page = await aCustomer(browser());
    await page.goto(link.url);
    expect(await page.locator('main').textContent()).toContain(nasty);
    expect([await page.locator('main img, main script').count(), await page.title()]).toEqual([
      0,
      expect.not.stringMatching(/^[12]$/),
    ]);
  });
});

/** The customer's token, which is part of the URL to return to. */
async function tokenOf(page: Page, link: Body): Promise<string> {
  const cookies = await page.context().cookies(link.url);
  return (cookies.find(({ name }) => name === 'pay_payment')?.value ?? '').split('.')[1] ?? '';
}
