import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { type AnyRoute, isRaw, type RawRoute, routeKey } from '#shared/http/route.ts';
import { withCookie, withKey } from '#test/http/strangers.support.ts';
import { type Ids, NEVER_WAS, openShop, type Shop } from '#test/http/two-shops.support.ts';
import { rawRequest, startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, aPaymentBody, type Body } from '#test/support/host.ts';

let host: WatchedHost;
let shops: { readonly here: Shop; readonly there: Shop };
beforeAll(async () => {
  host = await startWatchedHost();
  shops = { here: await openShop(host, 'here'), there: await openShop(host, 'there') };
  await host.drain();
});
afterAll(() => host?.close());

type Expectation = {
  readonly path: (ids: Ids) => string;
  readonly body?: (ids: Ids) => Body;
  readonly status: number;
  readonly never: number;
};

const anEvent = ({ organization: org_id, connection: connection_id, payment: payment_id }: Ids): Body => ({
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', object: 'payment_intent', metadata: { org_id, connection_id, payment_id } } },
});

/**
 * Routes without credentials of the API: the response to a caller without the proof of the form, link or signature,
 * and for an unknown resource.
 */
const RAW: Readonly<Record<string, Expectation>> = {
  'GET /openapi.json': { path: () => '/openapi.json', status: 200, never: 200 },
  'GET /openapi-dashboard.json': { path: () => '/openapi-dashboard.json', status: 200, never: 200 },
  'GET /health': { path: () => '/health', status: 200, never: 200 },
  'POST /health/probe': { path: () => '/health/probe', body: anEvent, status: 401, never: 401 },
  'OPTIONS /{proxy+}': { path: ({ payment }) => `/v1/payments/${payment}`, status: 204, never: 204 },
  'GET /dashboard': { path: () => '/dashboard', status: 200, never: 200 },
  'GET /dashboard/{path+}': { path: ({ payment }) => `/dashboard/payments/${payment}`, status: 200, never: 200 },
  'GET /docs': { path: () => '/docs', status: 200, never: 200 },
  'GET /docs/{path+}': { path: () => '/docs/errors', status: 200, never: 200 },
  'GET /llms.txt': { path: () => '/llms.txt', status: 200, never: 200 },
  'GET /llms-full.txt': { path: () => '/llms-full.txt', status: 200, never: 200 },
  'GET /sign-in': { path: () => '/sign-in', status: 200, never: 200 },
  'GET /account-link': { path: () => '/account-link', status: 200, never: 200 },
  'GET /pay/{id}': { path: ({ link }) => `/pay/${link}`, status: 200, never: 404 },
  'POST /pay/{id}': { path: ({ link }) => `/pay/${link}`, body: () => 'do=pay&csrf=none', status: 403, never: 404 },
  'GET /pay/return/{payment_id}': { path: ({ payment }) => `/pay/return/${payment}?t=none`, status: 404, never: 404 },
  'POST /pay/return/{payment_id}': { path: ({ payment }) => `/pay/return/${payment}?t=none`, status: 404, never: 404 },
  'GET /pay/{path+}': { path: ({ link }) => `/pay/${link}/`, status: 303, never: 303 },
  'POST /webhooks/{provider}': { path: () => '/webhooks/stripe', body: anEvent, status: 401, never: 401 },
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SENDERS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  nobody: () => ({}),
  'its own key': () => withKey(shops.here.key),
  "another organization's key": () => withKey(shops.there.key),
  'its own session': () => withCookie(shops.here.owner, shops.here.org),
  "another organization's session": () => withCookie(shops.there.owner, shops.there.org),
};

/** Without the parts that are new in each page: the form token, the nonce and times. */
const lasting = ({ text }: ApiResponse): string =>
  text.replace(/[\w-]{20,}/g, '*').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*');

/** It passes the key of its caller on to the API; test/http/mcp shows what each key gets there. */
const TAKES_KEYS = 'POST /mcp';

describe.each(
  (Object.values(ROUTES).flat() as readonly AnyRoute[])
    .filter(isRaw)
    .filter((route) => routeKey(route) !== TAKES_KEYS)
    .map((route) => [routeKey(route), route] as const),
)('%s', (key, route: RawRoute) => {
  const ask = (ids: Ids, sender = 'nobody') => {
    const expected = RAW[key];
    if (!expected) throw new Error(`${key} asks for no credential: say in RAW what a stranger is told.`);
    const body = expected.body?.(ids);
    const headers = { ...(typeof body === 'string' && FORM), ...SENDERS[sender]?.() };
    // Browsers request these on their own, and people type them, so they are in no document.
    if (route.method === 'OPTIONS' || route.path.endsWith('+}'))
      return rawRequest({
        method: route.method,
        url: host.info.api + expected.path(ids),
        headers: Object.entries(headers),
      });
    return host.call(route.method, expected.path(ids), body, { key: null, headers });
  };

  it('gives every caller the same response, whatever credential they send, and changes nothing', async () => {
    const before = await host.stored();
    const answers = await Promise.all(Object.keys(SENDERS).map((sender) => ask(shops.here.ids, sender)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => RAW[key]?.status));
    expect(new Set(answers.map(lasting)).size).toBe(1);
    expect(await host.stored()).toEqual(before);
  });

  it('gives the same response for a resource that never existed', async () => {
    const [never, answer] = [await ask(NEVER_WAS), await ask(shops.here.ids)];
    expect(never.status).toBe(RAW[key]?.never);
    if (never.status === answer.status) expect(lasting(answer)).toBe(lasting(never));
    expect(
      [shops.here.ids.organization, shops.here.owner.user.email, shops.here.ids.payment].filter((each) =>
        answer.text.includes(each),
      ),
    ).toEqual([]);
  });
});

it('an idempotency key belongs to the organization that used it', async () => {
  const how = { idempotencyKey: 'one-and-the-same' };
  const [mine, theirs] = await Promise.all(
    [shops.here, shops.there].map(({ key }) => host.call('POST', '/v1/payments', aPaymentBody(), { ...how, key })),
  );
  expect([mine?.status, theirs?.status]).toEqual([201, 201]);
  expect([theirs?.body.org_id, theirs?.headers.get('idempotency-replayed')]).toEqual([shops.there.org, null]);
});
