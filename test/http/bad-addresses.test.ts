import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Route } from '#shared/http/route.ts';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import {
  addressOf,
  admission,
  INVALID,
  KB,
  NEVER,
  OURS,
  ofSize,
  pathsIn,
  refused,
  verdict,
} from '#test/http/bad-input.support.ts';
import { rawRequest, startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type CallOptions,
  type TestOrganization,
} from '#test/support/host.ts';
import { responseCheck } from '#test/support/response-check.ts';

let host: WatchedHost;
let admit: (route: Route) => CallOptions;
beforeAll(async () => {
  host = await startWatchedHost();
  admit = await admission(host);
});
afterAll(() => host?.close());
const refuses = (send: () => Promise<ApiResponse>) => refused(host, send);

const LISTS = OURS.filter(({ query }) => query instanceof z.ZodObject && 'limit' in query.shape);

/** A user has at most twenty passkeys, so they are shown without pages. */
const WHOLE = ['/v1/auth/webauthn/credentials'];

it('every list endpoint has pages', () => {
  const listing = OURS.filter(({ method, summary }) => method === 'GET' && summary.startsWith('List '));
  expect(listing.filter((route) => !LISTS.includes(route)).map(({ path }) => path)).toEqual(WHOLE);
  expect(LISTS.length).toBeGreaterThan(20);
});

/** Filters that a list requires. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v1/payment-methods': { customer_id: 'kim' },
};

const listAddress = (route: Route, query: string): string => {
  const required = new URLSearchParams(REQUIRED[route.path]).toString();
  return `${addressOf(route)}?${required === '' ? '' : `${required}&`}${query}`;
};

it.each(LISTS)('a page of $path has fifty items unless limit says otherwise', ({ path, query }) => {
  const required = REQUIRED[path];
  const takes = (asked: object) => query?.safeParse({ ...required, ...asked }).success;
  expect(query?.parse({ ...required })).toMatchObject({ limit: 50, offset: 0 });
  const most = path.endsWith('ab-tests') ? 100 : 200;
  expect([
    takes({ limit: '1' }),
    takes({ limit: `${most}` }),
    takes({ limit: `${most + 1}` }),
    takes({ offset: '10000' }),
  ]).toEqual([true, true, false, true]);
});

describe.each(LISTS)('the list $path', (route) => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=many', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=some', 'offset'],
    ['offset=99999999999999999999', 'offset'],
    ['cursor=', 'cursor'],
    ['cursor=!', 'cursor'],
    [`cursor=${writeCursor(`att_${NEVER}`)}`, 'cursor'],
    [`cursor=${writeCursor('\0')}`, 'cursor'],
    ['colour=red', 'colour'],
    ['__proto__=1', '__proto__'],
  ])('rejects ?%s', async (query, name) => {
    const answer = await refuses(() => host.call('GET', listAddress(route, query), undefined, admit(route)));
    expect([verdict(answer), pathsIn(answer)]).toEqual([INVALID, [`query.${name}`]]);
  });
});

/** Beyond it an offset would cost more than a cursor, which has no end. */
const COUNTED = [
  '/v1/payments',
  '/v1/payments/reviews',
  '/v1/agent-approvals',
  '/v1/disputes',
  '/v1/webhooks/events',
  '/v1/invoices',
  '/v1/subscriptions',
  '/v1/failed-requests',
];

it.each(LISTS)(
  '$path can be counted to its end by offset, or to the 10,000th item of unlimited lists',
  async (route) => {
    const ask = (offset: number) => host.call('GET', listAddress(route, `offset=${offset}`), undefined, admit(route));
    const { status } = await ask(10_000);
    const beyond = COUNTED.includes(route.path) ? 400 : status;
    expect([200, 404]).toContain(status);
    expect([(await ask(10_001)).status, (await ask(999_999_999)).status]).toEqual([beyond, beyond]);
    if (COUNTED.includes(route.path)) expect(pathsIn(await refuses(() => ask(10_001)))).toEqual(['query.offset']);
  },
);

const BY_ID = OURS.filter((route) => route.path.includes('{id}') && (!route.body || route.bodyOptional));
const PREFIX: Readonly<Record<string, string>> = {
  'api-keys': 'key',
  connections: 'conn',
  payments: 'pay',
  webhooks: 'evt',
  members: 'usr',
  platform: 'usr',
};

describe.each(BY_ID)('$method $path', (route) => {
  const prefix = PREFIX[route.path.split('/')[2] ?? ''] ?? 'none';
  const ask = (id: string) => {
    const { key = host.info.keys.service, headers } = admit(route);
    const by = { ...headers, ...(key !== null && { authorization: `Bearer ${key}` }), 'idempotency-key': randomUUID() };
    return rawRequest({ method: route.method, url: host.info.api + addressOf(route, id), headers: Object.entries(by) });
  };

  let never: ApiResponse;
  beforeAll(async () => {
    never = await ask(`${prefix}_${NEVER}`);
  });

  it.each([
    ['short', 'x'],
    ['long', 'x'.repeat(4_000)],
    ['in capitals', `${prefix}_${NEVER.toUpperCase()}`],
    ['of another kind', `sess_${NEVER}`],
    ['with an extra letter', `${prefix}_${NEVER}x`],
    ['beyond the maximum time', `${prefix}_${'z'.repeat(26)}`],
    ['with spaces', '%20'],
    ['with NUL', `${prefix}_%00`],
    ['with dots', '%2e%2e%2f%2e%2e'],
    ['with half an escape', '%E0%A4%A'],
    ['with a quote', '%27%22%3B--'],
    ['in another script', encodeURIComponent('платёж')],
    ['named like a property of every object', '__proto__'],
  ])('gives an id that is %s the same response as an unknown one', async (_, id) => {
    expect(verdict(never)).toEqual([404, 'not_found', 'not_found']);
    expect(await ask(id)).toMatchObject({ status: 404, body: never.body });
  });
});

describe.each(OURS.filter(({ method }) => method === 'GET'))('$method $path with a body', (route) => {
  it.each([
    ['is not JSON', '{', 'application/json', 400, 'malformed_json'],
    ['has another type', 'a=b', 'text/plain', 400, 'unsupported_content_type'],
    ['holds a card number', '["4242 4242 4242 4242"]', 'application/json', 400, 'raw_card_data'],
    ['has an unknown field', '{"colour":"red"}', 'application/json', 400, 'invalid_request'],
    ['has 300 KB', ofSize(300 * KB), 'application/json', 413, 'body_too_large'],
  ])('that %s is rejected as the API document says', async (_, body, type, status, code) => {
    const { key = host.info.keys.service, headers } = admit(route);
    const by = { ...headers, ...(key !== null && { authorization: `Bearer ${key}` }), 'content-type': type };
    const answer = await rawRequest({
      method: 'GET',
      url: host.info.api + addressOf(route),
      headers: Object.entries(by),
      body,
    });
    expect(verdict(answer)).toEqual([status, 'invalid_request', code]);
    (await responseCheck())('GET', addressOf(route), answer);
  });
});

describe('headers that are sent twice', () => {
  let other: TestOrganization;
  beforeAll(async () => {
    other = await anOrganization(host);
  });
  const send = (headers: readonly (readonly [string, string])[]) =>
    rawRequest({
      method: 'POST',
      url: `${host.info.api}/v1/payments`,
      headers: [...headers, ['Content-Type', 'application/json'], ['Idempotency-Key', randomUUID()]],
      body: JSON.stringify(aPaymentBody()),
    });
  const own = () => ['X-Org-Id', host.info.org_id] as const;
  const their = () => ['X-Org-Id', other.org_id] as const;
  const key = () => ['X-Service-Key', host.info.keys.service] as const;

  it.each([
    ['the own organization and another', () => [key(), own(), their()], [403, 'forbidden', 'org_mismatch']],
    ['another organization and the own one', () => [key(), their(), own()], [403, 'forbidden', 'org_mismatch']],
    ['the own organization twice', () => [key(), own(), own()], [403, 'forbidden', 'org_mismatch']],
    ['two keys', () => [key(), ['X-Service-Key', other.key] as const, own()], [401, 'unauthorized', 'invalid_api_key']],
    [
      'two bearers',
      () => [
        ['Authorization', `Bearer ${other.key}`] as const,
        ['Authorization', `Bearer ${host.info.keys.secret}`] as const,
      ],
      [401, 'unauthorized', 'invalid_api_key'],
    ],
    [
      'two types',
      () => [key(), own(), ['Content-Type', 'text/plain'] as const],
      [400, 'invalid_request', 'unsupported_content_type'],
    ],
  ])('give no access: %s', async (_, headers, expected) => {
    expect(verdict(await refuses(() => send(headers())))).toEqual(expected);
  });
});

describe('a callback', () => {
  const post = (provider: string, body: string) => host.call('POST', `/webhooks/${provider}`, body, { key: null });

  it.each([
    ['that is not JSON', 'stripe', 'paid!', [400, 'invalid_request', 'invalid_request']],
    ['that is not an event', 'stripe', '{"id":7}', [400, 'invalid_request', 'invalid_request']],
    [
      'without metadata of the service',
      'stripe',
      '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1"}}}',
      [400, 'invalid_request', 'webhook_unroutable'],
    ],
    ['of 300 KB', 'stripe', ofSize(300 * KB), [413, 'invalid_request', 'body_too_large']],
    ['of an unknown provider', 'acme', '{}', [404, 'not_found', 'not_found']],
  ])('%s is rejected', async (_, provider, body, expected) => {
    expect(verdict(await refuses(() => post(provider, body)))).toEqual(expected);
  });
});
