import * as z from 'zod';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { type AnyRoute, type Route, routeKey } from '#shared/http/route.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { NEVER } from '#test/http/bad-input.support.ts';
import { sampleOf } from '#test/http/sample-input.support.ts';
import { aConnection, aPaymentBody, type Body, type TestHost } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

/** An organization with one of each resource. */
export type Shop = {
  readonly org: string;
  readonly name: string;
  readonly key: string;
  readonly publicKey: string;
  readonly owner: SignedInUser;
  readonly ids: Readonly<Record<Thing, string>>;
  /** The client secret of its intent. */
  readonly clientSecret: string;
};

const THINGS = [
  'organization',
  'key',
  'payment',
  'intent',
  'connection',
  'rule',
  'test',
  'link',
  'method',
  'customer',
  'subscription',
  'invoice',
  'dispute',
  'event',
  'integration',
  'template',
  'workflowRule',
  'execution',
  'user',
  'passkey',
  'session',
  'approval',
] as const;
type Thing = (typeof THINGS)[number];

/**
 * The kind of id by path before the parameter, or by the whole path. A new kind of resource needs a line here and an
 * example in each shop.
 */
const THING_AT: Readonly<Record<string, Thing>> = {
  '/v1/api-keys': 'key',
  '/v1/agent-approvals': 'approval',
  '/v1/connections': 'connection',
  '/v1/routing-rules': 'rule',
  '/v1/routing/ab-tests': 'test',
  '/v1/routing-ab-tests': 'test',
  '/v1/payments': 'payment',
  '/v1/payments/{id}/confirm': 'intent',
  '/v1/payments/{id}/confirm-intent': 'intent',
  '/v1/payments/{id}/cancel': 'intent',
  '/v1/payment-links': 'link',
  '/v1/payment-methods': 'method',
  '/v1/customers': 'customer',
  '/v1/subscriptions': 'subscription',
  '/v1/invoices': 'invoice',
  '/v1/disputes': 'dispute',
  '/v1/webhooks/events': 'event',
  '/v1/workflows/integrations': 'integration',
  '/v1/workflows/templates': 'template',
  '/v1/workflows/rules': 'workflowRule',
  '/v1/workflows/executions': 'execution',
  '/v1/members': 'user',
  '/v1/auth/webauthn/credentials': 'passkey',
  '/v1/auth/sessions': 'session',
  '/v1/platform/organizations': 'organization',
  '/v1/platform/admins': 'user',
  '/v1/platform/recoveries': 'user',
  '/pay': 'link',
  '/pay/return': 'payment',
};

/** The resource that a field of a body or a query names. */
const THING_NAMED: Readonly<Record<string, Thing>> = {
  id: 'connection',
  connection_id: 'connection',
  routing_rule_id: 'rule',
  payment_id: 'payment',
  subscription_id: 'subscription',
  integration_id: 'integration',
  template_id: 'template',
  event_id: 'event',
  org_id: 'organization',
  user_id: 'user',
};

const PREFIXES: Readonly<Record<Thing, string>> = {
  organization: 'org',
  key: 'key',
  payment: 'pay',
  intent: 'pay',
  connection: 'conn',
  rule: 'rule',
  test: 'abt',
  link: 'plink',
  method: 'pm',
  customer: 'buyer',
  subscription: 'sub',
  invoice: 'inv',
  dispute: 'disp',
  event: 'evt',
  integration: 'wfi',
  template: 'wft',
  workflowRule: 'wfr',
  execution: 'wfx',
  user: 'usr',
  passkey: 'passkey',
  session: 'sess',
  approval: 'apr',
};

export type Ids = Shop['ids'];

/** Well-formed ids of resources that never existed. */
export const NEVER_WAS = Object.fromEntries(THINGS.map((thing) => [thing, `${PREFIXES[thing]}_${NEVER}`])) as Ids;

/** The path of the route with these ids. */
export function addressWith(route: Pick<AnyRoute, 'method' | 'path'>, ids: Ids): string {
  return route.path.replace(/\{([^}]+)\}/g, (parameter) => {
    const place = route.path.slice(0, route.path.indexOf(`/${parameter}`));
    const thing = THING_AT[route.path] ?? THING_AT[place];
    if (!thing)
      throw new Error(
        `Nothing of ${place} is in the two shops, so ${routeKey(route)} goes untried: make one in openShop, and add the place to THING_AT.`,
      );
    return ids[thing];
  });
}

export const idsIn =
  (ids: Ids) =>
  (field: string): string | undefined =>
    THING_NAMED[field] && ids[THING_NAMED[field]];

/** What the schema of a body does not tell. */
const BODIES: Readonly<Record<string, (shop: Shop) => Body>> = {
  'POST /v1/auth/prove': () => ({ code: '123456' }),
  'POST /v1/api-keys': () => ({ name: 'Key', scopes: ['payments:read'] }),
  'POST /v1/workflows/integrations': () => ({
    name: 'Server',
    type: 'http',
    config: { url: 'https://shop.example/hook' },
  }),
  'POST /v1/routing/simulate': () => ({ amount: 500, currency: 'EUR' }),
  'POST /v1/payment-methods': () => ({ customer_id: 'kim', type: 'card', tokens: { stripe: 'ok' } }),
  'POST /v1/disputes/{id}/evidence': () => ({ explanation: 'It was delivered.' }),
  'PATCH /v1/subscriptions/{id}': () => ({ metadata: { seats: 3 } }),
  'POST /v1/payments/{id}/confirm-intent': ({ clientSecret }) => ({ client_secret: clientSecret }),
};

/** A body that passes all checks before the handler and names these ids wherever possible. */
export function bodyWith(route: Route, ids: Ids, shop: Shop): Body {
  if (!route.body) return undefined;
  const body = BODIES[routeKey(route)]?.(shop) ?? sampleOf(route.body, idsIn(ids));
  const { success, error } = route.body.safeParse(body);
  if (!success)
    throw new Error(
      `No body could be made up for ${routeKey(route)}; give it one in BODIES. ${z.prettifyError(error)}`,
    );
  return body;
}

/** The required parameters, and every filter by one of these ids. */
export function queryWith({ query }: Route, ids: Ids): string {
  const fields = query ? (sampleOf(query, idsIn(ids)) as Record<string, string>) : {};
  return Object.keys(fields).length === 0 ? '' : `?${new URLSearchParams(fields)}`;
}

/** A shop, created over HTTP by a user who has just signed in. */
export async function openShop(host: TestHost, name: string): Promise<Shop> {
  const owner = await signIn(host, `owner@${name}.example`);
  const org = owner.organizations[0]?.id ?? '';
  await owner.call('PATCH', '/v1/organization', { name: `Shop of ${name}` }, { org });
  const made = (path: string, body: Body) => madeBy(owner, org, path, body);
  const { id: keyId, key } = await made('/v1/api-keys', { name: 'Server', scopes: SCOPES });
  const { key: publicKey } = await made('/v1/api-keys', { name: 'Browser', kind: 'public' });
  await made('/v1/webhooks/config', { url: `${host.controlUrl}/receiver/${name}/hook`, events: ['*'] });
  const connection = await aConnection(host, { key }, { id: `main-of-${name}` });
  const payment = await made('/v1/payments', aPaymentBody('ok', { customer_email: `customer@${name}.example` }));
  const disputed = await made('/v1/payments', aPaymentBody());
  await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: disputed.id });
  const intent = await made('/v1/payments/intents', aPaymentBody());
  const rule = await made('/v1/routing-rules', {
    name: `Rule of ${name}`,
    countries: ['DE'],
    connection_id: connection.id,
  });
  const variants = ['A', 'B'].map((variant) => ({ name: variant, routing_rule_id: rule.id, weight: 1 }));
  const test = await made('/v1/routing-ab-tests', { name: `Test of ${name}`, variants });
  const link = await made('/v1/payment-links', { amount: 700, currency: 'EUR', description: `Link of ${name}` });
  const customer = { id: `buyer-of-${name}` };
  const method = await made('/v1/payment-methods', {
    customer_id: customer.id,
    type: 'card',
    tokens: { stripe: 'ok' },
  });
  const subscription = await made('/v1/subscriptions', aSubscription(name));
  await made('/v1/policies/retry', { plan_id: '' });
  const event = await made('/v1/webhooks/test', undefined);
  const integration = await made(
    '/v1/workflows/integrations',
    anIntegration(`${host.controlUrl}/receiver/workflows-of-${name}/hook`),
  );
  const steps = [
    { id: 'wait', type: 'delay', for: '30d' },
    { id: 'tell', type: 'http_request', integration_id: integration.id },
  ];
  const template = await made('/v1/workflows/templates', { name: `Template of ${name}`, steps });
  const workflowRule = await made('/v1/workflows/rules', {
    name: `Workflow of ${name}`,
    event: 'payment.failed',
    template_id: template.id,
  });
  const execution = await made('/v1/workflows/executions', { template_id: template.id, event_id: event.id });
  await host.drain();
  const [invoice] = (await owner.call('GET', '/v1/invoices', undefined, { org })).body.invoices;
  const [dispute] = (await owner.call('GET', '/v1/disputes', undefined, { org })).body.disputes;
  const passkey = await aPasskey(host, owner, `passkey-of-${name}`);
  const [session] = (await owner.call('GET', '/v1/auth/sessions')).body.sessions;
  const workflows = { integration, template, workflowRule, execution };
  const own = { organization: { id: org }, key: { id: keyId }, user: owner.user, passkey, session };
  const things = {
    ...own,
    payment,
    intent,
    connection,
    rule,
    test,
    link,
    method,
    customer,
    subscription,
    invoice,
    dispute,
    event,
    approval: await anApproval(host, made, payment.id),
    ...workflows,
  };
  const ids = Object.fromEntries(THINGS.map((thing) => [thing, things[thing].id])) as Ids;
  return { org, name, key, publicKey, owner, ids, clientSecret: intent.client_secret };
}

/** What an agent of the shop waits for. */
async function anApproval(host: TestHost, made: (path: string, body: Body) => Promise<Body>, paymentId: string) {
  const { key } = await made('/v1/api-keys', { name: 'Agent', kind: 'secret', scopes: SCOPES, agent: true });
  const { body } = await host.call('POST', `/v1/payments/${paymentId}/refund`, { amount: 1 }, { key });
  return { id: body.details.approval_id };
}

const anIntegration = (url: string): Body => ({
  name: 'Server',
  type: 'http',
  config: { url, headers: { authorization: 'Bearer of the shop' } },
});

const aSubscription = (name: string): Body => ({
  customer_id: `customer of ${name}`,
  plan_id: `plan of ${name}`,
  amount: 900,
  currency: 'EUR',
  interval: 'monthly',
  payment_method: { type: 'card', token: 'ok' },
});

/** A passkey without a device: it is listed, and cannot sign. */
/** A passkey that its user has just used to prove who they are, as a browser does when it adds one. */
async function aPasskey(
  { deps, clock }: TestHost,
  { user: { id: user_id }, cookie }: SignedInUser,
  id: string,
): Promise<{ readonly id: string }> {
  const [user, created_at] = [await deps.users.get(user_id), clock.now().toISOString()];
  if (!user) throw new Error('Whoever has signed in is somebody.');
  await deps.passkeys.add(
    {
      id,
      user_id,
      name: null,
      public_key: '',
      counter: 0,
      transports: [],
      created_at,
      created_by: null,
      last_used_at: null,
    },
    user,
  );
  const proof = { proved_at: created_at, proved_by: 'passkey' } as const;
  await deps.sessions.recordProof({ user_id, hash: sha256Hex(cookie.split('=')[1] ?? ''), proof }, clock.now());
  return { id };
}

async function madeBy({ call }: SignedInUser, org: string, path: string, body: Body): Promise<Body> {
  const answer = await call('POST', path, body, { org });
  if (answer.status >= 300) throw new Error(`The shop could not be opened: POST ${path} answered ${answer.text}`);
  return answer.body;
}
