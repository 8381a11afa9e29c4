import { randomBytes } from 'node:crypto';
import type { StageClient } from '#test/drill/stage-client.ts';
import type { Surroundings } from '#test/drill/surroundings.ts';

const secret = (prefix: string) => `${prefix}${randomBytes(24).toString('hex')}`;

export type Shop = {
  readonly connection: string;
  readonly rule: string;
  readonly test: string;
  readonly publicKey: string;
};

/** What an organization sets up: keys, its webhook, a connection, rules, a test, policies. */
export async function setUp(stage: StageClient, { simulators }: Surroundings): Promise<Shop> {
  await stage.call(200, 'GET', '/openapi.json', undefined, { as: 'nobody' });
  await stage.call(200, 'GET', '/openapi-dashboard.json', undefined, { as: 'nobody' });
  await stage.call(200, 'GET', '/dashboard', undefined, { as: 'nobody' });
  await stage.call(200, 'GET', '/dashboard/connections', undefined, { as: 'nobody' });
  await stage.call(200, 'GET', '/docs', undefined, { as: 'nobody' });
  await stage.call(200, 'GET', '/docs/errors.md', undefined, { as: 'nobody' });
  await stage.call(200, 'GET', '/health', undefined, { as: 'nobody' });
  await stage.call(404, 'GET', '/nothing/here', undefined, { as: 'nobody' });
  await stage.call(401, 'GET', '/v1/payments', undefined, { as: 'nobody' });
  const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
  await stage.call(204, 'OPTIONS', '/v1/payments/x/confirm-intent', undefined, { as: 'nobody', headers: preflight });

  const key = await stage.call(201, 'POST', '/v1/api-keys', {
    name: 'reader',
    kind: 'service',
    scopes: ['payments:read'],
  });
  const pub = await stage.call(201, 'POST', '/v1/api-keys', { name: 'page', kind: 'public' });
  await stage.call(200, 'GET', '/v1/api-keys');
  await stage.call([200, 204], 'DELETE', `/v1/api-keys/${key.json.id}`);
  await stage.call(200, 'POST', '/v1/webhooks/config', { url: 'https://hooks.shop.example/hook', events: ['*'] });
  await stage.call(200, 'GET', '/v1/webhooks/config');

  const connection = await connect(stage, simulators);
  return { connection, ...(await route(stage, connection)), publicKey: pub.json.key };
}

async function connect(stage: StageClient, simulators: Surroundings['simulators']): Promise<string> {
  const mode = stage.key.startsWith('sk_live') ? 'live' : 'test';
  const credentials = { secret_key: secret(`sk_${mode}_`), webhook_secret: secret('whsec_') };
  simulators.registerAccount('stripe', credentials, 'Shop Ltd');
  await stage.call(200, 'POST', '/v1/connections/test', { provider: 'stripe', credentials });
  const made = await stage.call(201, 'POST', '/v1/connections', { provider: 'stripe', credentials });
  const path = `/v1/connections/${made.json.id}`;
  await stage.call(200, 'GET', '/v1/connections');
  await stage.call(200, 'GET', path);
  await stage.call(200, 'POST', `${path}/validate`);
  await stage.call(200, 'PATCH', `${path}/labels`, { labels: ['main'] });
  await stage.call(200, 'PATCH', `${path}/status`, { status: 'inactive' });
  await stage.call(200, 'PATCH', `${path}/status`, { status: 'active' });
  await stage.call(200, 'GET', `${path}/audit`);
  const other = { ...credentials, secret_key: secret(`sk_${mode}_`) };
  const second = await stage.call(201, 'POST', '/v1/connections', { provider: 'stripe', credentials: other });
  await stage.call([200, 204], 'DELETE', `/v1/connections/${second.json.id}`);
  return made.json.id;
}

async function route(stage: StageClient, connection: string) {
  const rule = (name: string, country: string) =>
    stage.call(201, 'POST', '/v1/routing-rules', { name, countries: [country], connection_id: connection });
  const [a, b, c] = [await rule('a', 'DE'), await rule('b', 'FR'), await rule('c', 'AT')];
  await stage.call(200, 'GET', '/v1/routing-rules');
  await stage.call(200, 'GET', `/v1/routing-rules/${a.json.id}`);
  await stage.call(200, 'PATCH', `/v1/routing-rules/${a.json.id}`, { priority: 5 });
  await stage.call([200, 204], 'DELETE', `/v1/routing-rules/${c.json.id}`);
  await stage.call(200, 'POST', '/v1/routing-rules/order', { rules: [b.json.id, a.json.id] });
  const variants = [
    { name: 'a', routing_rule_id: a.json.id, weight: 50 },
    { name: 'b', routing_rule_id: b.json.id, weight: 50 },
  ];
  const test = await stage.call(201, 'POST', '/v1/routing/ab-tests', { name: 'test', variants });
  const start_at = new Date().toISOString();
  await stage.call(201, 'POST', '/v1/routing-ab-tests', {
    name: 'by the clock',
    variants,
    start_at,
    target_countries: ['IT'],
  });
  await stage.call(200, 'GET', '/v1/routing/ab-tests');
  for (const act of ['start', 'pause', 'start'])
    await stage.call(200, 'POST', `/v1/routing/ab-tests/${test.json.id}/${act}`);
  const rules = [{ countries: ['DE'], connection_id: connection }];
  await stage.call(200, 'POST', '/v1/routing/simulate', { amount: 500, currency: 'EUR', country: 'DE', rules });
  await stage.call(200, 'POST', '/v1/routing/replay', { rules });
  const velocity = [{ field: 'customer_id', max_payments: 50, window: '1h' }];
  await stage.call([200, 201], 'POST', '/v1/policies/fraud', { enabled: true, velocity });
  await stage.call(200, 'GET', '/v1/policies/fraud');
  await stage.call([200, 201], 'POST', '/v1/policies/retry', { delays: ['1d'], max_retries: 1 });
  await stage.call(200, 'GET', '/v1/policies/retry');
  await stage.call(200, 'GET', '/v1/policies/retry/list');
  return { rule: String(a.json.id), test: String(test.json.id) };
}
