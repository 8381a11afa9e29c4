import { describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { type AnyRoute, isRaw, type Route, routeKey } from '#shared/http/route.ts';

const OURS = (Object.values(ROUTES).flat() as readonly AnyRoute[]).filter((route): route is Route => !isRaw(route));

/** The scopes of the specification by path prefix; the longest prefix applies. */
const RESOURCES: Readonly<Record<string, string>> = {
  '/v1/connections': 'connections',
  '/v1/routing': 'connections',
  '/v1/organization/audit': 'connections',
  '/v1/payments': 'payments',
  '/v1/payment-methods': 'payments',
  '/v1/customers': 'payments',
  '/v1/payment-links': 'payments',
  '/v1/disputes': 'payments',
  '/v1/search': 'payments',
  '/v1/attention': 'payments',
  '/v1/policies': 'subscriptions',
  '/v1/policies/fraud': 'fraud',
  '/v1/webhooks': 'webhooks',
  '/v1/subscriptions': 'subscriptions',
  '/v1/invoices': 'invoices',
  '/v1/api-keys': 'api_keys',
  '/v1/workflows': 'workflows',
};

/** They have a body, and change nothing. */
const READ_BY_POST: ReadonlySet<string> = new Set(['/v1/routing/simulate', '/v1/routing/replay']);

const byScope = OURS.flatMap((route) => ('scope' in route ? [[routeKey(route), route, route.scope] as const] : []));

describe.each(byScope)('%s', (_, { method, path }, scope) => {
  it('requires the scope of its resource', () => {
    const [beginning = ''] = Object.keys(RESOURCES)
      .filter((each) => path.startsWith(each))
      .sort((a, b) => b.length - a.length);
    const reads = method === 'GET' || READ_BY_POST.has(path);
    expect(scope).toBe(`${RESOURCES[beginning]}:${reads ? 'read' : 'write'}`);
  });
});

/** Routes for which the contract requires no scope. */
const PLACES = {
  anyone:
    /^(POST \/v1\/auth\/(magic-link|undo|recovery|recovery\/(cancel|finish)|webauthn\/authenticate\/(begin|finish))|GET \/v1\/auth\/verify)$/,
  signed_in: /^\w+ (\/v1\/auth\/.+|\/v1\/platform\/me)$/,
  public: /^POST \/v1\/payments\/\{id\}\/confirm-intent$/,
  member:
    /^(GET \/v1\/(failed-requests|api-keys\/current)|\w+ \/v1\/agent-approvals(\/\{id\}(\/\w+)?)?|\w+ \/v1\/(organization|members)(\/(settings|audit|agent-limits|\{id\}))?)$/,
  platform: /^\w+ \/v1\/platform\/(?!me$)/,
} as const;

it.each(Object.entries(PLACES))('%s requires no scope, and is listed here', (access, place) => {
  expect(
    OURS.filter((route) => route.access === access)
      .map(routeKey)
      .filter((key) => !place.test(key)),
  ).toEqual([]);
});
