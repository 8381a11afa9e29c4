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
import { aLink } from '#test/support/guest-browser.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { inOrganization } from '#test/support/members.ts';
import { arrange, pay, payOnPage } from '#test/support/payment-steps.ts';
import { signIn } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

browserSuite('a customer who comes back from a provider', (browser) => {
  it.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('without having paid is asked what to do, and is not sent back there: on %s', async (_, device) => {
    const link = await aLink(host, { methods: ['card', 'ideal'] });
    const page = await aCustomer(browser(), device);
    await page.goto(link.url);
    await page.locator('button[value="start"]').click();
    await page.waitForURL(/\/stripe\/pay\//);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'You stopped the payment' }).waitFor();
    expect([await view(page), await accessibilityFaults(page), await overflows(page)]).toEqual(['stopped', [], false]);
    await page.getByRole('link', { name: 'I have paid, check now' }).click();
    expect(await view(page)).toBe('stopped');
    await page.getByRole('link', { name: 'Continue to payment' }).click();
    await page.waitForURL(/\/stripe\/pay\//);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Pay another way' }).click();
    await page.getByText('You canceled the payment.').waitFor();
    expect(await view(page)).toBe('form');
  });

  it('and failed 3-D Secure tries again, where the shop has no page of its own', async () => {
    await arrange(host, 'requires_action');
    const { next_action } = await pay(host, 'needs_3ds');
    const page = await aCustomer(browser(), SMALL_PHONE);
    await page.goto(next_action.url);
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('heading', { name: 'Your payment did not go through' }).waitFor();
    expect([await accessibilityFaults(page), await overflows(page)]).toEqual([[], false]);
    await arrange(host, 'requires_action');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Authenticate' }).click();
    await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const edge = (selector: string, side: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).border${side}Width`);
    const lines = [await edge('.facts>div:last-child', 'Bottom'), await edge('.seller', 'Top')];
    expect(lines, 'one line between the payment and its seller').toEqual(['0px', '1px']);
  });

  it('sees times in the zone of the browser, and in UTC without scripts', async () => {
    const { next_action } = await payOnPage(host);
    const page = await aCustomer(browser(), { ...DESKTOP, timezoneId: 'Asia/Tokyo' });
    await page.goto(next_action.url);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor();
    const time = page.locator('time');
    expect(await time.textContent()).toMatch(/19:\d\d GMT\+9$/);
    const plain = await aCustomer(browser(), { ...DESKTOP, javaScriptEnabled: false });
    await plain.goto(page.url());
    expect(await plain.locator('time').textContent()).toMatch(/10:\d\d UTC$/);
  });

  it('sees the logo of the seller, loaded from its server alone and without a referrer', async () => {
    const owner = inOrganization(await signIn(host, host.info.owner_email), host.info.org_id);
    const logo_url = 'https://cdn.shop.example/logo.svg';
    await owner.request('PATCH', '/v1/organization/settings', { logo_url, website_url: 'https://shop.example/' });
    const page = await aCustomer(browser(), PHONE);
    const asked: (string | undefined)[] = [];
    await page.route(/^https:/, async (route) => {
      asked.push(route.request().url(), (await route.request().allHeaders()).referer);
      const body =
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>';
      await route.fulfill({ contentType: 'image/svg+xml', body });
    });
    await page.goto((await aLink(host)).url);
    expect(asked).toEqual([logo_url, undefined]);
    expect((await page.locator('img.logo').boundingBox())?.height).toBe(48);
    expect([await accessibilityFaults(page), await overflows(page)]).toEqual([[], false]);
  });
});
