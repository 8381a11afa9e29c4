import { afterAll, beforeAll, expect, it } from 'vitest';
import { aColleague, lookAtScreen, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { drain, pay } from '#test/support/payment-steps.ts';
import { anIntegration, aRule, aTemplate, EXECUTIONS, hookAt } from '#test/support/workflows.ts';

let host: TestHost;
let owner: OrganizationUser;
let template: Body;
let run: Body;
/** A header's value, which nothing in the browser may ever show. */
const SECRET = 'Bearer crm-secret-7f3a';

beforeAll(async () => {
  host = await startHost();
  const { service: key } = host.info.keys;
  owner = await theOwner(host);
  const how = { key };
  const crm = await anIntegration(host, how, {
    config: { url: hookAt(host, 'crm'), headers: { authorization: SECRET } },
  });
  template = await aTemplate(host, how, {
    name: 'Follow up on large payments',
    steps: [
      { id: 'large', type: 'condition', if: 'data.amount >= 10000', else: 'mark_small' },
      { id: 'ask_crm', type: 'http_request', integration_id: crm.id, on_error: 'continue' },
      { id: 'mark', type: 'tag_payment', metadata: { follow_up: true } },
      { id: 'wait', type: 'delay', for: '2h', next: null },
      { id: 'mark_small', type: 'tag_payment', metadata: { follow_up: false } },
    ],
  });
  await aRule(host, how, {
    name: 'Every success',
    event: 'payment.succeeded',
    condition: 'data.amount > 100',
    template_id: template.id,
  });
  await pay(host, 'ok', { amount: 12_000 });
  await drain(host);
  run = (await host.call('GET', EXECUTIONS)).body.executions[0];
});
afterAll(() => host?.close());

const steps = (page: { locator: (css: string) => { allTextContents: () => Promise<string[]> } }) =>
  page.locator('.diagram .diagram-name').allTextContents();

browserSuite('the screens of workflows', (browser) => {
  it('are accessible in both widths and themes', async () => {
    const look = { host, person: owner };
    await lookAtScreen(browser(), { ...look, path: '/workflows', name: 'workflows' });
    await lookAtScreen(browser(), { ...look, path: `/workflows/templates/${template.id}`, name: 'workflow-template' });
    await lookAtScreen(browser(), { ...look, path: `/workflows/runs/${run.id}`, name: 'workflow-run' });
    await lookAtScreen(browser(), { ...look, path: '/workflows/rules', name: 'workflow-rules' });
  }, 120_000);

  it('draw a template from top to bottom, and say the same in a list', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/workflows' });
    await page.getByRole('link', { name: 'Follow up on large payments' }).click();
    await page.waitForURL(`**/workflows/templates/${template.id}`);
    await expect.poll(() => steps(page)).toEqual(['large', 'ask_crm', 'mark', 'wait', 'mark_small']);
    expect((await page.locator('.diagram-edge text').allTextContents()).sort()).toEqual(['no', 'yes']);
    const list = page.getByRole('list', { name: 'Steps' });
    await list.getByText('If so, ask_crm; if not, mark_small.').waitFor();
    await list.getByText('Calls CRM.').waitFor();
  });

  it('show where a run stands, and cancel it after a confirmation', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: `/workflows/runs/${run.id}` });
    await page.locator('.diagram').waitFor();
    expect(await page.locator('.diagram-running .diagram-name').allTextContents()).toEqual(['wait']);
    expect(await page.locator('.diagram-succeeded .diagram-name').allTextContents()).toEqual([
      'large',
      'ask_crm',
      'mark',
    ]);
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('what was done stays done');
    await dialog.getByRole('button', { name: 'Cancel the run' }).click();
    await page.locator('.page-title', { hasText: 'Canceled' }).waitFor();
    expect((await host.call('GET', `${EXECUTIONS}/${run.id}`)).body.status).toBe('canceled');
  });

  it('start a run for an event, and show it', async () => {
    const { events } = (await host.call('GET', '/v1/webhooks/events?type=payment.succeeded')).body;
    const page = await openDashboard(browser(), {
      host,
      person: owner,
      path: `/workflows/templates/${template.id}`,
    });
    await page.getByRole('button', { name: 'Run for an event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event').fill('evt_nothing');
    await dialog.getByRole('button', { name: 'Run it now' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Event').fill(events[0].id);
    await dialog.getByRole('button', { name: 'Run it now' }).click();
    await page.waitForURL(/\/workflows\/runs\/wfx_/);
    await page.getByText('A person or a key').waitFor();
  });

  it('make a new version of a template, which the drawing follows, and refuse a mistake in plain words', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: `/workflows/templates/${template.id}` });
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog');
    const text = dialog.getByLabel('Steps (JSON)');
    await text.fill('[ nonsense');
    await dialog.getByText('This is not JSON.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save as a new version' }).isDisabled()).toBe(true);
    await text.fill(JSON.stringify([{ id: 'wait', type: 'delay', for: 'soon' }]));
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await dialog.getByText(/Must be a duration/).waitFor();
    await text.fill(JSON.stringify([{ id: 'pause', type: 'delay', for: '3h' }]));
    expect(await dialog.locator('.diagram-name').allTextContents()).toEqual(['pause']);
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Version 2').waitFor();
    expect(await steps(page)).toEqual(['pause']);
    await page.goto(page.url().replace(/templates\/.*/, `runs/${run.id}`));
    await page.getByText('This run has version 1 of its template').waitFor();
  });

  it('create, change and delete a rule', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/workflows/rules' });
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Failures');
    await dialog.getByLabel('Event').selectOption('payment.failed');
    await dialog.getByLabel('Runs the template').selectOption(template.id);
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('row', { name: /Failures/ }).waitFor();
    await page.getByRole('button', { name: 'Change Failures' }).click();
    await dialog.getByLabel('Enabled').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Failures.*Off/ }).waitFor();
    await page.getByRole('button', { name: 'Delete Failures' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => page.getByRole('row', { name: /Failures/ }).count()).toBe(0);
    expect((await host.call('GET', '/v1/workflows/rules')).body.rules).toHaveLength(1);
  });

  it('never show a secret of an integration, and keep it when something else is changed', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/workflows/integrations' });
    await page.getByRole('button', { name: 'Change CRM' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('CRM of the shop');
    expect(await page.content()).not.toContain('crm-secret');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /CRM of the shop.*authorization/ }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('whsec');
    const { events } = (await host.call('GET', '/v1/webhooks/events?type=payment.succeeded')).body;
    const asks = await aTemplate(
      host,
      { key: host.info.keys.service },
      {
        steps: [{ id: 'ask', type: 'http_request', integration_id: template.steps[1].integration_id }],
      },
    );
    await host.call('POST', EXECUTIONS, { template_id: asks.id, event_id: events[0].id });
    await drain(host);
    const received = (await host.control('GET', '/receiver/crm')).body.deliveries;
    expect(received.at(-1).headers.authorization).toBe(SECRET);
  });

  it('show a viewer everything but the buttons', async () => {
    const viewer = await aColleague(host, 'viewer');
    const page = await openDashboard(browser(), { host, person: viewer, path: `/workflows/templates/${template.id}` });
    expect(await page.getByRole('button', { name: /Change|Delete|Run for/ }).count()).toBe(0);
    await page.goto(page.url().replace(/templates\/.*/, 'rules'));
    await page.getByRole('row', { name: /Every success/ }).waitFor();
    expect(await page.getByRole('button', { name: /New rule|Change|Delete/ }).count()).toBe(0);
    expect((await viewer.request('DELETE', `/v1/workflows/templates/${template.id}`)).status).toBe(403);
  });
});
