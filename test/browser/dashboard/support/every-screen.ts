import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { subscribe } from '#test/support/billing.ts';
import { aConnection, type Body, type TestHost } from '#test/support/host.ts';
import { drain, pay } from '#test/support/payment-steps.ts';
import { anIntegration, aRule, aTemplate, hookAt } from '#test/support/workflows.ts';

const TABLE = fileURLToPath(new URL('../../../../client/dashboard/screens/screen-table.ts', import.meta.url));

/** The paths of the dashboard's table of screens: a screen that is added there is walked by that. */
const screenPaths = (): readonly string[] =>
  [...readFileSync(TABLE, 'utf8').matchAll(/^\s+path: '\/([^']*)'/gm)].map(([, path]) => (path ? `/${path}` : ''));

type Records = Readonly<Record<string, Body>>;

/** One record for each screen that shows one. */
const EXAMPLES: Readonly<Record<string, (host: TestHost) => Promise<string>>> = {
  '/payments/:id': firstOf('/v1/payments'),
  '/disputes/:id': firstOf('/v1/disputes'),
  '/subscriptions/:id': firstOf('/v1/subscriptions'),
  '/invoices/:id': firstOf('/v1/invoices'),
  '/workflows/templates/:id': firstOf('/v1/workflows/templates'),
  '/workflows/runs/:id': firstOf('/v1/workflows/executions'),
  '/webhooks/events/:id': firstOf('/v1/webhooks/events'),
  '/connections/:id': firstOf('/v1/connections'),
};

function firstOf(path: string) {
  return async (host: TestHost): Promise<string> => {
    const { body } = await host.call('GET', path);
    const list = Object.values(body as Records).find(Array.isArray) ?? body;
    if (!list[0]?.id) throw new Error(`GET ${path} lists nothing to show.`);
    return list[0].id;
  };
}

/** An organization that has something on each screen. */
export async function fill(host: TestHost): Promise<void> {
  const how = { key: host.info.keys.service };
  await host.call('POST', '/v1/webhooks/config', { url: hookAt(host, 'shop'), events: ['*'] });
  const crm = await anIntegration(host, how);
  const template = await aTemplate(host, how, {
    steps: [
      { id: 'ask', type: 'http_request', integration_id: crm.id, on_error: 'continue' },
      { id: 'tag', type: 'tag_payment', metadata: { seen: true } },
    ],
  });
  await aRule(host, how, { event: 'payment.succeeded', template_id: template.id });
  const second = await aConnection(host, how, { provider: 'adyen' });
  await host.call('POST', '/v1/routing-rules', { name: 'Germany', countries: ['DE'], connection_id: second.id });
  await subscribe(host, { customer_id: 'ada', plan_id: 'gold' });
  const { id, provider } = await pay(host, 'ok', { customer_id: 'ada' });
  await pay(host, 'decline_insufficient_funds');
  await host.control('POST', '/psp/disputes', { provider, payment_id: id });
  await host.call('POST', '/v1/payment-links', { amount: 4_900, currency: 'EUR', description: 'Repair of a bicycle' });
  await drain(host);
}

/** The address of every screen, below /dashboard, with that of each of its parts. `page`: any tab of the dashboard. */
export async function everyAddress(host: TestHost, page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of screenPaths()) {
    const [base = ''] = path.split(/\/:\w+\?$/);
    if (path.endsWith('/:part?')) found.push(...(await partsOf(page, base)));
    else if (!base.includes(':')) found.push(base);
    else found.push(path.replace(':id', await exampleOf(host, path)));
  }
  return found;
}

function exampleOf(host: TestHost, path: string): Promise<string> {
  const example = EXAMPLES[path];
  if (!example) throw new Error(`The walk over all screens needs an example for ${path}.`);
  return example(host);
}

/** The tabs of a screen lead to its parts. */
async function partsOf(page: Page, path: string): Promise<readonly string[]> {
  await goTo(page, path);
  await page.locator('#content .tabs').waitFor();
  const tabs = await page.locator('#content .tabs a').evaluateAll((links) => links.map((a) => a.getAttribute('href')));
  return tabs.map((href) => (href ?? '').replace('/dashboard', ''));
}

/** As a link does, without loading the page: what was read before is kept. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`new Promise((drawn) => {
    history.pushState(null, '', ${JSON.stringify(`/dashboard${path}`)});
    dispatchEvent(new PopStateEvent('popstate'));
    setTimeout(() => requestAnimationFrame(drawn));
  })`);
}

/** Loads the address anew, so that nothing is kept of another visit. */
export const visit = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${new URL(page.url()).origin}/dashboard${path}`, { waitUntil: 'commit' });
};

export type Answers = 'as ever' | 'held back' | 'failing' | 'forbidden';

/**
 * Decides how the API and the control server answer what a screen reads. The session goes on, and nothing is changed:
 * other requests than reads are lost on their way.
 */
export async function answersOf(page: Page): Promise<{ readonly are: (now: Answers) => void }> {
  let now: Answers = 'as ever';
  let release: (() => void) | undefined;
  let held: Promise<void> | undefined;
  await page.route(/\/(v1|clock|mailbox|psp|faults|receiver|info)\b/, async (route) => {
    const request = route.request();
    if (request.isNavigationRequest() || /\/auth\/session$/.test(request.url())) return route.continue();
    if (request.method() !== 'GET') return route.abort();
    await held;
    if (now === 'as ever') return route.continue().catch(() => undefined);
    return route.fulfill(now === 'forbidden' ? FORBIDDEN : FAILING).catch(() => undefined);
  });
  return {
    are: (next) => {
      now = next;
      if (next === 'held back') {
        held = new Promise((done) => {
          release = done;
        });
      } else {
        release?.();
        held = undefined;
      }
    },
  };
}

const refusal = (status: number, error: string, code: string, message: string) => ({
  status,
  // Else the client would send a read again by itself, and the screen would load for seconds.
  headers: { 'x-should-retry': 'false', 'access-control-allow-origin': '*' },
  json: { error, code, message },
});
const FAILING = refusal(503, 'service_unavailable', 'service_unavailable', 'The service is not available.');
const FORBIDDEN = refusal(403, 'forbidden', 'missing_scope', 'Your role does not allow this.');
