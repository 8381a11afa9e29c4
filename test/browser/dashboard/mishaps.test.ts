import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoaded, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { overflows } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { drain } from '#test/support/payment-steps.ts';

/** Their events, two of each, are more than one page. */
const PAYMENTS = 28;

let host: TestHost;
let owner: OrganizationUser;
beforeAll(async () => {
  host = await startHost();
  for (let n = 0; n < PAYMENTS; n += 1) await host.call('POST', '/v1/payments', aPaymentBody('ok'));
  await host.call('POST', '/v1/payments', aPaymentBody('decline_insufficient_funds'));
  await drain(host);
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr');

browserSuite('what may go wrong on a screen', (browser) => {
  const open = (path: string, expects?: RegExp): Promise<Page> =>
    openDashboard(browser(), { host, person: owner, path, ...(expects && { expects }) });

  describe('the service is away', () => {
    it('keeps what is shown and typed when newer data cannot be loaded', async () => {
      const page = await open('/lab/providers', /ERR_FAILED/);
      await page.getByLabel('Only for this payment').fill('pay_typed');
      await page.route('**/psp/scenario', (route) => route.abort());
      await page.getByText('Payfork could not be reached').first().waitFor();
      expect(await page.getByLabel('Only for this payment').inputValue()).toBe('pay_typed');
      await page.unroute('**/psp/scenario');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('Payfork could not be reached').waitFor({ state: 'detached' });
      expect(await page.getByLabel('Only for this payment').inputValue()).toBe('pay_typed');
    });

    it('says so on a screen that is not loaded yet, in the page that is open', async () => {
      const page = await open('', /ERR_FAILED/);
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      await page.route(/\/(dashboard\/assets|v1)\//, (route) => route.abort());
      await page.locator('a[href="/dashboard/routing"]').first().click();
      await page.getByRole('alert').getByText('Payfork could not be reached').waitFor();
      expect(loads).toBe(0);
    });

    it('keeps the frame when such a screen is tried again too early, and shows it once the network is back', async () => {
      const page = await open('', /ERR_INTERNET_DISCONNECTED/);
      const failed = page.getByText('Payfork could not be reached');
      await page.context().setOffline(true);
      await page.locator('a[href="/dashboard/routing"]').first().click();
      await failed.waitFor();
      const early = page.waitForEvent('requestfailed');
      await page.getByRole('button', { name: 'Try again' }).click();
      await early;
      await failed.waitFor();
      await page.locator('a[href="/dashboard/webhooks"]').first().click();
      await failed.waitFor();
      await page.context().setOffline(false);
      await page.locator('a[href="/dashboard/routing"]').first().click();
      await page.getByRole('heading', { level: 1, name: 'Routing' }).waitFor();
      await page.locator('a[href="/dashboard/webhooks"]').first().click();
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    });
  });

  it('keeps the further pages of a list that is loaded again by itself', async () => {
    const page = await open('/account');
    await page.clock.install();
    await page.goto(`${new URL(page.url()).origin}/dashboard/webhooks`);
    await isLoaded(page);
    const first = await rows(page, 'Events').count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows(page, 'Events').count()).toBeGreaterThan(first);
    const shown = await rows(page, 'Events').count();
    let polls = 0;
    page.on('request', (request) => {
      if (/\/v1\/webhooks\/events/.test(request.url())) polls += 1;
    });
    await page.clock.fastForward(65_000);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect({ polls, shown: await rows(page, 'Events').count() }).toEqual({ polls: 0, shown });
  });

  describe('a dialog', () => {
    it('that shows a key once stays open, however often Esc is pressed', async () => {
      const page = await open('/developers');
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const form = page.getByRole('dialog', { name: 'Create an API key' });
      await form.getByRole('textbox', { name: 'Name' }).fill('Shown once');
      await form.getByRole('button', { name: 'Create key' }).click();
      const shown = page.getByRole('dialog', { name: 'Your new key: Shown once' });
      await shown.waitFor();
      for (let n = 0; n < 4; n += 1) await page.keyboard.press('Escape');
      await page.evaluate('new Promise((done) => setTimeout(done, 50))');
      expect(await shown.isVisible()).toBe(true);
      await shown.getByRole('button', { name: /^Copy: sk_/ }).click();
      await shown.getByRole('button', { name: 'Copied' }).waitFor();
      await shown.getByRole('button', { name: 'I have stored it' }).click();
      await shown.waitFor({ state: 'detached' });
    });

    it('stays open when a selection that began in it ends beside it, and closes with a press beside it', async () => {
      const page = await open('/developers');
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const form = page.getByRole('dialog', { name: 'Create an API key' });
      await form.getByRole('textbox', { name: 'Name' }).fill('A long name');
      const box = (await form.getByRole('textbox', { name: 'Name' }).boundingBox())!;
      await page.mouse.move(box.x + 40, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(5, box.y + box.height / 2);
      await page.mouse.up();
      expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('A long name');
      await page.mouse.click(5, 5);
      await form.waitFor({ state: 'detached' });
    });

    it('charges the sum that was typed, in another currency too', async () => {
      const page = await open('/subscriptions');
      await page.getByRole('button', { name: 'New subscription' }).first().click();
      const form = page.getByRole('dialog', { name: 'New subscription' });
      await form.getByLabel('Customer').fill('cus_yen');
      await form.getByLabel('Plan').fill('gold');
      await form.getByLabel('Amount (EUR)').fill('50');
      await form.getByLabel('Currency').selectOption('JPY');
      expect(await form.getByLabel('Amount (JPY)').inputValue()).toBe('50');
      await form.getByRole('button', { name: 'Create subscription' }).click();
      await page.waitForURL(/\/subscriptions\/sub_/);
      const { body } = await host.call('GET', '/v1/subscriptions?customer_id=cus_yen');
      expect(body[0]).toMatchObject({ amount: 50, currency: 'JPY' });
    });

    it('draws steps that are half typed, and never takes away what was typed', async () => {
      const page = await open('/workflows');
      await page.getByRole('button', { name: 'New template' }).first().click();
      const steps = page.getByLabel('Steps (JSON)');
      for (const step of [
        { id: 'a', type: 'dela' },
        { id: 'a', type: 'tag_payment', metadata: null },
        { id: 'a', type: 'tag_payment' },
        { id: 'a', type: 'condition', else: 5 },
        null,
      ]) {
        const text = JSON.stringify([step]);
        await steps.fill(text);
        expect(await steps.inputValue()).toBe(text);
      }
    });
  });

  describe('an address', () => {
    it('that leads from Today to the failed payments of the period shows these', async () => {
      const page = await open('');
      await page.locator('.today-failures').getByRole('link').first().click();
      await page.waitForURL(/status=failed&from=\d{4}-\d{2}-\d{2}/);
      await page.getByRole('button', { name: 'Clear filters' }).waitFor();
      expect(await page.getByLabel('From').inputValue()).toMatch(/^\d{4}-/);
    });

    it('of the disputes of one payment shows no others', async () => {
      const [payment, other] = (await host.call('GET', '/v1/payments?status=succeeded&limit=2')).body.payments;
      for (const { id, provider } of [payment, other])
        await host.control('POST', '/psp/disputes', { provider, payment_id: id });
      await drain(host);
      const page = await open(`/disputes?payment_id=${payment.id}`);
      await expect.poll(() => rows(page, 'Disputes').count()).toBe(1);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(() => rows(page, 'Disputes').count()).toBe(2);
    });

    it('with a day that is none shows the events all the same', async () => {
      const page = await open('/webhooks?from=yesterday&to=');
      expect(await rows(page, 'Events').count()).toBeGreaterThan(0);
    });

    it('of a payment that does not exist says that, and not to try again', async () => {
      const page = await open('/payments/pay_01kb0000000000000000000000');
      await page.getByText('The address may be mistyped').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });

    it('of the audit of webhooks is empty while there are none', async () => {
      const page = await open('/developers/audit?of=webhooks');
      await page.getByText('Nothing was changed yet').waitFor();
    });
  });

  it('shows the whole menu of the last row of a table', async () => {
    const page = await open('/platform/organizations');
    await rows(page, 'Organizations')
      .last()
      .getByRole('button', { name: /^Change / })
      .click();
    const last = page.getByRole('button', { name: 'Change capacity' });
    await last.waitFor();
    const isSeen = await last.evaluate((item) => {
      const { left, top, width, height } = item.getBoundingClientRect();
      return item.contains(item.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isSeen).toBe(true);
  });

  it('does not widen the page for a name that is one long word', async () => {
    const config = { url: `${host.controlUrl}/receiver/crm/hook` };
    const made = await host.call('POST', '/v1/workflows/integrations', { name: 'W'.repeat(80), type: 'http', config });
    expect(made.status).toBe(201);
    const page = await open('/workflows/integrations');
    expect(await overflows(page)).toBe(false);
  });

  it('shows the customer before the description, also where both are written from right to left', async () => {
    const texts = { customer_id: 'متجر', description: 'مرحبا بك' };
    const { body } = await host.call('POST', '/v1/payments', aPaymentBody('ok', texts));
    const page = await open(`/payments/${body.id}`);
    const left = await page.locator('#content .page-header').evaluate((header, wanted) => {
      const walker = header.ownerDocument.createTreeWalker(header, 4);
      const range = header.ownerDocument.createRange();
      return wanted.map((text) => {
        walker.currentNode = header;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const from = node.nodeValue?.indexOf(text) ?? -1;
          if (from < 0) continue;
          range.setStart(node, from);
          range.setEnd(node, from + text.length);
          return range.getBoundingClientRect().left;
        }
        return Number.NaN;
      });
    }, Object.values(texts));
    expect(left[0]).toBeLessThan(left[1]!);
  });

  it('goes to the first row with j, and on from there', async () => {
    const page = await open('/payments');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const second = rows(page, 'Payments, newest first').nth(1).locator('td:first-child > a');
    expect(await second.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
  });
});
