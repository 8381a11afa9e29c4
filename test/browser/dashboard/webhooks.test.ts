import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aColleague,
  isLoaded,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { advance, drain, pay } from '#test/support/payment-steps.ts';

let host: TestHost;
let owner: OrganizationUser;
const receiver = randomUUID();
const hook = () => `${host.controlUrl}/receiver/${receiver}/hook`;
const answer = (answers: Body) => host.control('PUT', `/receiver/${receiver}`, answers);
const delivered = async (): Promise<Body[]> => (await host.control('GET', `/receiver/${receiver}`)).body.deliveries;

beforeAll(async () => {
  host = await startHost();
  owner = await theOwner(host);
});
afterAll(() => host?.close());

const rows = '.table tbody tr';

browserSuite('webhooks', (browser) => {
  const open = (path: string, person = owner) => openDashboard(browser(), { host, person, path });

  it('takes an endpoint, and says what is wrong with its address', async () => {
    const page = await open('/webhooks/endpoint');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Save endpoint' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await owner.request('GET', '/v1/webhooks/config')).status).toBe(404);
    await dialog.getByLabel('URL').fill(hook());
    await dialog.getByRole('button', { name: 'Save endpoint' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(hook()).waitFor();
    expect((await owner.request('GET', '/v1/webhooks/config')).body).toMatchObject({ url: hook(), events: ['*'] });
  });

  it('shows why an endpoint fails, and delivers the event once it is repaired and resent', async () => {
    await answer({ status: 500, body: 'No such table: orders' });
    await pay(host);
    await drain(host);
    const page = await open('/webhooks?type=payment.succeeded');
    await page.getByRole('link', { name: 'payment.succeeded' }).first().press('Enter');
    await page.waitForURL(/webhooks\/events\/evt_/);
    await isLoaded(page);
    await page.getByText('Answered 500').first().waitFor();
    expect(await page.getByRole('list', { name: 'Attempts' }).textContent()).toContain('No such table: orders');
    await answer({ status: 200 });
    await page.getByRole('button', { name: 'Resend' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('Your server may have it already');
    await dialog.getByRole('button', { name: 'Resend' }).click();
    await dialog.waitFor({ state: 'detached' });
    await drain(host);
    await page.getByText('Answered 200').waitFor();
    await page.locator('.page-title', { hasText: 'Delivered' }).waitFor();
    const id = page.url().split('/').at(-1);
    const received = (await delivered()).filter(({ headers }) => headers['webhook-id'] === id);
    expect(received.map(({ status }) => status)).toEqual([500, 200]);
    const body = await page.getByRole('region', { name: 'Body' }).textContent();
    expect(JSON.parse(body ?? '')).toEqual(JSON.parse(received.at(-1)!.raw_body));
  });

  it('lists failed events by their address, and replays those of a period', async () => {
    await answer({ status: 503 });
    await pay(host);
    await advance(host, '3d');
    await drain(host);
    owner = await theOwner(host);
    const page = await open('/webhooks?status=failed');
    const failed = await page.locator(rows).count();
    expect(failed).toBeGreaterThan(1);
    await answer({ status: 200 });
    await page.getByRole('button', { name: 'Replay failed events' }).click();
    const dialog = page.getByRole('dialog');
    const since = new Date(host.clock.now().getTime() - 4 * 86_400_000).toISOString().slice(0, 16);
    await dialog.getByLabel('Since').fill(since);
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await drain(host);
    expect((await owner.request('GET', '/v1/webhooks/events?status=failed')).body.events).toEqual([]);
  });

  it('sends a test event, which is then in the list', async () => {
    const page = await open('/webhooks');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('A test event is on its way.').waitFor();
    await page.getByRole('link', { name: 'service.webhook.test' }).waitFor();
    await drain(host);
    const [event] = (await owner.request('GET', '/v1/webhooks/events?type=service.webhook.test')).body.events;
    expect((await delivered()).some(({ headers }) => headers['webhook-id'] === event.id)).toBe(true);
  });

  it('shows the secret when asked to, and replaces it', async () => {
    const { signing_secret: before } = (await owner.request('GET', '/v1/webhooks/config')).body;
    const page = await open('/webhooks/endpoint');
    expect(await page.getByText(before).count()).toBe(0);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText(before).waitFor();
    await page.getByRole('button', { name: 'Replace secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replace secret' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The one before signs until').waitFor();
    expect((await owner.request('GET', '/v1/webhooks/config')).body.signing_secret).not.toBe(before);
  });

  it('says who changed what', async () => {
    const page = await open('/webhooks/changes');
    expect(await page.locator(rows).first().textContent()).toContain('Secret rotated');
    expect(await page.locator(rows).last().textContent()).toContain(hook());
  });

  it('shows a viewer events and a masked secret, and no button', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await open('/webhooks', viewer);
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await page.goto(page.url().replace(/webhooks.*/, 'webhooks/endpoint'));
    await isLoaded(page);
    await page.getByText(/whsec_\*{4}/).waitFor();
    expect(await page.getByRole('button', { name: 'Replace secret' }).count()).toBe(0);
    expect((await viewer.request('POST', '/v1/webhooks/test', {})).status).toBe(403);
  });

  it('warns on every part while webhooks are disabled', async () => {
    await owner.request('POST', '/v1/webhooks/config', { url: hook(), events: ['*'], enabled: false });
    const page = await open('/webhooks/verify');
    await page.getByText('Webhooks are disabled').waitFor();
    await owner.request('POST', '/v1/webhooks/config', { url: hook(), events: ['*'] });
  });
});

browserSuite('the screens of webhooks', (browser) => {
  it.each<[string, () => string | Promise<string>]>([
    ['webhooks', () => '/webhooks'],
    ['webhooks-endpoint', () => '/webhooks/endpoint'],
    ['webhooks-verify', () => '/webhooks/verify'],
    ['webhooks-changes', () => '/webhooks/changes'],
    [
      'webhooks-event',
      async () => {
        const { events } = (await owner.request('GET', '/v1/webhooks/events?type=payment.succeeded')).body;
        return `/webhooks/events/${events.at(-1).id}`;
      },
    ],
  ])(
    'are accessible in both widths and themes: %s',
    async (name, path) => {
      await lookAtScreen(browser(), { host, person: owner, name, path: await path() });
    },
    60_000,
  );

  it(
    'are accessible while an endpoint is edited',
    () =>
      lookAtScreen(browser(), {
        host,
        person: owner,
        name: 'webhooks-edit',
        path: '/webhooks/endpoint',
        prepare: async (page) => {
          await page.getByRole('button', { name: 'Edit' }).click();
          await page.getByLabel('Only these').check();
        },
      }),
    60_000,
  );
});
