import { afterAll, beforeAll, expect, it } from 'vitest';
import { aColleague, lookAtScreen, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { connect, use } from '#test/http/mcp/mcp.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { acceptInvitation, anOwner, type OrganizationUser } from '#test/support/members.ts';
import { pay, read } from '#test/support/payment-steps.ts';

let host: TestHost;
let owner: OrganizationUser;
let agent: Awaited<ReturnType<typeof connect>>;
let paid: Body;
beforeAll(async () => {
  host = await startHost();
  owner = await theOwner(host);
  const scopes = ['payments:read', 'payments:write', 'subscriptions:write'];
  const key = await owner.request('POST', '/v1/api-keys', {
    name: 'Support agent',
    kind: 'secret',
    scopes,
    agent: true,
  });
  agent = await connect(host, key.body.key);
  paid = await pay(host, 'ok', { amount: 8_200 });
});
afterAll(() => host?.close());

const refund = (amount: number, idempotency_key: string): Promise<Body> =>
  use(agent, 'refundPayment', { id: paid.id, body: { amount }, idempotency_key });
const rows = '.table tbody tr';

browserSuite('the approvals', (browser) => {
  it('show what an agent wants; a person approves it, and the repeat of the agent succeeds once', async () => {
    const asked = await refund(3_000, 'part');
    expect([asked.code, asked.details.approve_at]).toEqual([
      'approval_required',
      expect.stringContaining('/approvals/'),
    ]);
    const today = await openDashboard(browser(), { host, person: owner });
    await today.getByRole('link', { name: '1 request of an agent to approve' }).click();
    await today.waitForURL('**/dashboard/approvals');
    await today.locator('.sidebar [aria-current]').getByText('Approvals').waitFor();
    const row = today.locator(rows, { hasText: /Refund a payment.*€30\.00.*Support agent/ });
    await row.getByRole('button', { name: 'Approve' }).click();
    const dialog = today.getByRole('dialog');
    expect(await dialog.textContent()).toContain('test-agent 1.2.3 (MCP)');
    await dialog.getByRole('button', { name: 'Approve' }).dblclick();
    await today.getByText('Nothing to approve').waitFor();
    expect((await read(host, paid.id)).amount_refunded).toBe(0);
    expect((await refund(3_000, 'part')).amount_refunded).toBe(3_000);
    expect((await refund(3_000, 'part')).amount_refunded).toBe(3_000);
    await today.getByRole('link', { name: 'All' }).click();
    await today.locator(rows, { hasText: 'Done' }).waitFor();
  });

  it('are decided at the address that the agent tells, too, and a rejection reaches it', async () => {
    const { details } = await refund(1_000, 'no');
    const other = await anOwner(host);
    await other.request('POST', '/v1/members', { email: owner.user.email, role: 'viewer' });
    await acceptInvitation(host, owner.user.email);
    const { pathname, search } = new URL(details.approve_at);
    // The tab showed another organization before.
    const person = { ...owner, org: other.org };
    const page = await openDashboard(browser(), { host, person, path: pathname.replace('/dashboard', '') + search });
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nothing was done.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect((await refund(1_000, 'no')).code).toBe('approval_rejected');
  });

  it('stay in the organization of the tab where a link names one that the person is no member of', async () => {
    const stranger = await anOwner(host);
    const page = await openDashboard(browser(), {
      host,
      person: owner,
      path: `/approvals?organization=${stranger.org}`,
    });
    const { organizations } = (await owner.call('GET', '/v1/auth/session')).body;
    const { name } = organizations.find(({ id }: Body) => id === owner.org);
    await page.getByRole('button', { name: `Organization: ${name}` }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('show a viewer what waits, without the buttons', async () => {
    const { details } = await refund(900, 'viewer');
    const viewer = await aColleague(host, 'viewer');
    const page = await openDashboard(browser(), { host, person: viewer, path: '/approvals' });
    await page.locator(rows, { hasText: '€9.00' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const one = await openDashboard(browser(), { host, person: viewer, path: `/approvals/${details.approval_id}` });
    await one.getByText('Your role cannot do this itself').waitFor();
  });

  it(
    'are accessible in both widths and themes, with their dialog open',
    () =>
      lookAtScreen(browser(), {
        host,
        person: owner,
        path: '/approvals',
        name: 'approvals',
        prepare: (page) => page.getByRole('button', { name: 'Approve' }).first().click(),
      }),
    60_000,
  );

  it('speak the language of the person who looks', async () => {
    const options = { locale: 'de-DE', viewport: { width: 390, height: 844 } };
    const page = await openDashboard(browser(), { host, person: owner, path: '/approvals', options });
    await page.getByRole('heading', { name: 'Freigaben' }).waitFor();
    expect(await page.locator(rows).first().textContent()).toContain('Eine Zahlung erstatten');
  });

  it('are needed above a limit that an administrator sets beside the keys', async () => {
    const page = await openDashboard(browser(), { host, person: owner, path: '/developers' });
    await page.getByText('No limit is set').waitFor();
    await page.locator(rows, { hasText: 'Support agent' }).getByText('Agent', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change limit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('A day, for each key (EUR)').fill('5.00');
    await dialog.getByRole('button', { name: 'Save limit' }).click();
    await page.getByText('€5.00 a day for each key').waitFor();
    expect((await refund(500, 'small')).amount_refunded).toBe(3_500);
    expect((await refund(1, 'more')).code).toBe('approval_required');
  });
});
