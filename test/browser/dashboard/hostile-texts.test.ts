import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLoaded, openDashboard, theOwner } from '#test/browser/dashboard/support/dashboard.ts';
import { subscribe } from '#test/support/billing.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import type { OrganizationUser } from '#test/support/members.ts';
import { arrange, drain, pay } from '#test/support/payment-steps.ts';
import { aRule, aTemplate } from '#test/support/workflows.ts';

/** What a customer, a provider or a colleague may have written. Run as markup or as an address, it sets `slipped`. */
const MARKUP = '"><img src=x onerror="slipped=1"><script>slipped=1</script>';
const ADDRESS = 'javascript:slipped=1//';

let host: TestHost;
let owner: OrganizationUser;
let paths: readonly string[];

async function made(path: string, body: Body): Promise<Body> {
  const { status, body: reply, text } = await host.call('POST', path, body);
  if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
  return reply;
}

beforeAll(async () => {
  host = await startHost();
  owner = await theOwner(host);
  const { service: key } = host.info.keys;
  await host.control('PUT', '/receiver/hostile', { status: 500, body: MARKUP });
  await made('/v1/webhooks/config', { url: `${host.controlUrl}/receiver/hostile/hook`, events: ['*'] });
  const [stripe] = (await host.call('GET', '/v1/connections')).body.connections;
  const hostile = { customer_id: ADDRESS, description: MARKUP, metadata: { [MARKUP.slice(0, 20)]: MARKUP } };
  const paid = await pay(host, 'ok', hostile);
  const held = await pay(host, 'ok', { ...hostile, capture: 'manual' });
  await made(`/v1/payments/${paid.id}/refund`, { amount: 100, reason: MARKUP });
  await arrange(host, 'decline:issuer_unavailable', {});
  const failed = await pay(host, 'ok', hostile);
  await host.control('DELETE', '/psp/scenario');
  await made('/v1/routing-rules', { name: MARKUP, countries: ['DE'], connection_id: stripe.id });
  await made('/v1/payment-links', { amount: 500, currency: 'EUR', description: MARKUP });
  await made('/v1/api-keys', { name: MARKUP, kind: 'secret', scopes: [] });
  const template = await aTemplate(
    host,
    { key },
    {
      name: MARKUP,
      steps: [{ id: 'mark', type: 'tag_payment', metadata: { said: MARKUP } }],
    },
  );
  await aRule(host, { key }, { name: MARKUP, event: 'payment.succeeded', template_id: template.id });
  const subscription = await subscribe(host, { customer_id: ADDRESS, plan_id: MARKUP });
  await drain(host);
  await owner.request('PATCH', '/v1/organization', { name: MARKUP.slice(0, 60) });
  const agent = { name: MARKUP.slice(0, 60), kind: 'secret', scopes: ['payments:write'], agent: true };
  const { key: agentKey } = (await owner.request('POST', '/v1/api-keys', agent)).body;
  const wanted = { amount: 500, currency: 'EUR', customer_id: ADDRESS, description: MARKUP };
  const asked = (await host.call('POST', '/v1/payments', wanted, { key: agentKey })).body;
  const [event] = (await host.call('GET', '/v1/webhooks/events')).body.events;
  const [invoice] = (await host.call('GET', '/v1/invoices')).body.invoices;
  paths = [
    ...['', '/payments', `/payments?customer_id=${encodeURIComponent(ADDRESS)}`],
    ...[`/payments?search=${encodeURIComponent(MARKUP)}`, '/payments/links', '/payments/links?id=..'],
    ...[paid, held, failed].map(({ id }) => `/payments/${id}`),
    ...['/approvals', `/approvals/${asked.details.approval_id}`],
    ...['/reviews', '/disputes', '/connections', `/connections/${stripe.id}`],
    ...['/routing', '/routing/simulator', '/routing/ab-tests', '/routing/policies'],
    ...['/subscriptions', `/subscriptions/${subscription.id}`, '/invoices', `/invoices/${invoice.id}`],
    ...['/webhooks', '/webhooks/endpoint', '/webhooks/verify', '/webhooks/changes', `/webhooks/events/${event.id}`],
    ...['/workflows', '/workflows/rules', '/workflows/runs', `/workflows/templates/${template.id}`],
    ...['/developers', '/developers/failed-requests', '/developers/audit', '/team', '/team/organization', '/account'],
    ...['/platform', '/lab', '/lab/providers', '/lab/mailbox', '/lab/receivers'],
  ];
}, 120_000);
afterAll(() => host?.close());

browserSuite('texts of strangers', (browser) => {
  it('are shown as texts on every screen, within the policy of the page', async () => {
    const page = await openDashboard(browser(), { host, person: owner });
    let shown = 0;
    for (const path of paths) {
      await page.goto(`${host.deps.config.pagesUrl}/dashboard${path}`);
      await isLoaded(page);
      const found = await page.evaluate<object>(`({
        slipped: 'slipped' in window,
        pictures: document.querySelectorAll('img').length,
        addresses: [...document.querySelectorAll('body :is([href], [src], [action])')]
          .map((element) => element.href ?? element.src ?? element.action)
          .filter((address) => !/^https?:/.test(address)),
      })`);
      expect({ path, ...found }).toEqual({ path, slipped: false, pictures: 0, addresses: [] });
      if ((await page.locator('#content').textContent())?.includes('onerror')) shown += 1;
    }
    // Otherwise this test would look at screens that show nothing of it.
    expect(shown).toBeGreaterThan(12);
  }, 120_000);
});
