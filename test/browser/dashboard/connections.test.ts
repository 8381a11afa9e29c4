import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  aColleague,
  expectNoAxeFindings,
  lookAtScreen,
  openDashboard,
  theOwner,
} from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

type Keys = { readonly secret_key: string; readonly webhook_secret: string };
const stripeKeys = (): Keys => randomCredentials('stripe', host.deps.config.stage) as Keys;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** An inactive connection, so that payments of other tests do not go there. */
async function aConnection(keys = stripeKeys()): Promise<Body> {
  const body = { provider: 'stripe', credentials: keys, status: 'inactive' };
  return (await host.call('POST', '/v1/connections', body)).body;
}
const read = async (id: string): Promise<Body> => (await host.call('GET', `/v1/connections/${id}`)).body;

async function type(page: Page, keys: Keys): Promise<void> {
  await dialog(page).getByLabel('Secret or restricted key').fill(keys.secret_key);
  await dialog(page).getByLabel('Webhook signing secret', { exact: true }).fill(keys.webhook_secret);
}

browserSuite('connections in the dashboard', (browser) => {
  const open = async (path = ''): Promise<Page> =>
    openDashboard(browser(), { host, person: await theOwner(host), path: `/connections${path}` });

  it('shows how each connection does, and keeps the filters in the address', async () => {
    await host.call('POST', '/v1/payments', aPaymentBody());
    await host.control('POST', '/drain');
    await aConnection();
    const page = await open();
    const demo = page.getByRole('row').filter({ hasText: host.info.connections.stripe ?? '' });
    for (const text of ['Active', 'Healthy (100)', '100%']) await demo.getByText(text, { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('inactive');
    await page.waitForURL('**/connections?status=inactive');
    await demo.waitFor({ state: 'detached' });
    await page.goBack();
    await demo.waitFor();
  });

  it('tests the credentials that are typed by then, also after a test whose answer was lost', async () => {
    const page = await open();
    await button(page, 'Add connection').click();
    const stranger = { status: 200, contentType: 'text/html', body: '<html>Welcome to the hotel</html>' };
    await page.route('**/v1/connections/test', (route) => route.fulfill(stranger), { times: 1 });
    await type(page, stripeKeys());
    await button(page, 'Test credentials').click();
    await dialog(page).getByText('is not one of the API').waitFor();
    const keys = stripeKeys();
    await type(page, keys);
    const sent = page.waitForRequest('**/v1/connections/test');
    await button(page, 'Test credentials').click();
    expect((await sent).postDataJSON()).toMatchObject({ credentials: { secret_key: keys.secret_key } });
  });

  it('adds a connection after the provider has accepted its credentials, and keeps them nowhere', async () => {
    const keys = stripeKeys();
    await aConnection(keys);
    const page = await open();
    await button(page, 'Add connection').click();
    const error = { type: 'invalid_request_error', message: 'Invalid API Key provided' };
    await host.control('POST', '/psp/scenario', {
      provider: 'stripe',
      behaviour: 'raw',
      raw: { status: 401, body: { error } },
      match: { operation: 'ping' },
    });
    await type(page, { ...keys, secret_key: 'sk_test_thisIsNoKey0000' });
    await button(page, 'Test credentials').click();
    await dialog(page).getByRole('alert').waitFor();
    await type(page, keys);
    await dialog(page).getByRole('alert').waitFor({ state: 'detached' });
    await button(page, 'Test credentials').click();
    await dialog(page)
      .getByText(/The provider answered within/)
      .waitFor();
    await dialog(page).getByLabel('Labels').fill('europe, backup');
    await dialog(page).getByText('Send payments there at once').click();
    await dialog(page).getByRole('button', { name: 'Add connection' }).click();
    await page.waitForURL(/\/connections\/conn_\w+$/);
    const added = await read(page.url().split('/').at(-1) ?? '');
    expect(added).toMatchObject({ status: 'inactive', labels: ['europe', 'backup'], last_validation_status: 'valid' });
    const kept = await page.evaluate<string>(
      'location.href + JSON.stringify({ ...localStorage, ...sessionStorage }) + document.documentElement.outerHTML',
    );
    for (const secret of Object.values(keys)) expect(kept).not.toContain(secret);
  });

  it('exchanges credentials as a whole, validates them, and says so in the audit', async () => {
    const { id } = await aConnection();
    const keys = stripeKeys();
    const page = await open(`/${id}`);
    await button(page, 'Exchange credentials').click();
    expect(await dialog(page).getByRole('button', { name: 'Exchange credentials' }).isEnabled()).toBe(false);
    await type(page, keys);
    await dialog(page).getByRole('button', { name: 'Exchange credentials' }).click();
    await page.getByText('The provider accepts these credentials.').waitFor();
    expect(await read(id)).toMatchObject({ last_validation_status: 'valid' });
    const changes = page.getByRole('table', { name: 'Changes of the connection' });
    await changes.getByText('Validated').waitFor();
    await changes.getByText('owner@demo-shop.example').first().waitFor();
    expect(await page.content()).not.toContain(keys.secret_key);
  });

  it('says which field is wrong, and never repeats its value', async () => {
    const { id } = await aConnection();
    const page = await open(`/${id}`);
    await button(page, 'Exchange credentials').click();
    await type(page, { ...stripeKeys(), webhook_secret: 'not-a-secret-of-stripe' });
    await dialog(page).getByRole('button', { name: 'Exchange credentials' }).click();
    const field = dialog(page).getByLabel('Webhook signing secret', { exact: true });
    await dialog(page)
      .getByText(/a webhook signing secret \(whsec_/)
      .first()
      .waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog(page).getByRole('alert').textContent()).not.toContain('not-a-secret-of-stripe');
    expect(await read(id)).toMatchObject({ last_validation_status: 'never' });
  });

  it('activates, deactivates, labels and deletes a connection, each after a question', async () => {
    const { id } = await aConnection();
    const page = await open(`/${id}`);
    for (const [press, status] of [
      ['Activate', 'active'],
      ['Deactivate', 'inactive'],
    ] as const) {
      await button(page, press).click();
      expect((await read(id)).status).not.toBe(status);
      await dialog(page).getByRole('button', { name: press }).click();
      await dialog(page).waitFor({ state: 'detached' });
      expect((await read(id)).status).toBe(status);
    }
    await button(page, 'More').click();
    await button(page, 'Edit labels').click();
    await dialog(page).getByLabel('Labels').fill('fallback');
    await dialog(page).getByRole('button', { name: 'Save labels' }).click();
    await page.getByText('The labels are saved.').waitFor();
    expect((await read(id)).labels).toEqual(['fallback']);
    await button(page, 'More').click();
    await button(page, 'Delete').click();
    const confirm = dialog(page).getByRole('button', { name: 'Delete connection' });
    expect(await confirm.getAttribute('aria-disabled')).toBe(null);
    await confirm.click();
    await page.waitForURL('**/dashboard/connections');
    expect((await host.call('GET', `/v1/connections/${id}`)).status).toBe(404);
    const deleted = await open(`/${id}`);
    await deleted.getByRole('heading', { name: 'Deleted connection' }).waitFor();
    await deleted.getByText('Its payments can be refunded for 30 days').waitFor();
    expect(await button(deleted, 'More').count()).toBe(0);
    await expectNoAxeFindings(deleted);
    const unknown = await open('/conn_never');
    await unknown.getByText('There is no such connection.').waitFor();
  });

  it('asks the provider about the stored credentials', async () => {
    const page = await open(`/${host.info.connections.stripe}`);
    await button(page, 'Validate').click();
    await page.getByText('Accepted').waitFor();
    expect(await read(host.info.connections.stripe ?? '')).toMatchObject({ last_validation_status: 'valid' });
  });

  it('shows a viewer how connections do, and nothing to change them with, which the API refuses too', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await openDashboard(browser(), {
      host,
      person: viewer,
      path: `/connections/${host.info.connections.stripe}`,
    });
    await page.getByRole('heading', { name: 'How it does' }).waitFor();
    for (const name of ['Validate', 'Exchange credentials', 'Deactivate', 'More'])
      expect(await button(page, name).count()).toBe(0);
    const path = `/v1/connections/${host.info.connections.stripe}/status`;
    const refused = await viewer.call('PATCH', path, { status: 'inactive' }, { org: viewer.org });
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope']);
  });

  it('says that there is no such connection', async () => {
    const page = await open('/conn_00000000000000000000000000');
    await page.getByText('There is no such connection.').waitFor();
  });

  it('is accessible at both widths and in both themes', async () => {
    const person = await theOwner(host);
    await lookAtScreen(browser(), { host, person, path: '/connections', name: 'connections' });
    const path = `/connections/${host.info.connections.stripe}`;
    await lookAtScreen(browser(), {
      host,
      person,
      path,
      name: 'connection-credentials',
      prepare: async (page) => {
        await button(page, 'Exchange credentials').click();
        await type(page, stripeKeys());
      },
    });
  });
});
