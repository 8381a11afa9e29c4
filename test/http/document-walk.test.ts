import { randomUUID } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Route, routeKey } from '#shared/http/route.ts';
import { addressOf, admission, NEVER, OURS } from '#test/http/bad-input.support.ts';
import { type Context, changedBodies, type Schema, valuesOf } from '#test/http/document-walk.support.ts';
import { apiDocument } from '#test/support/api-document.ts';
import { type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import { responseCheck } from '#test/support/response-check.ts';

/** The same requests each time; another seed asks others. */
const SEED = 23;
/** Of each: with the required fields only, and with others. */
const VALID_REQUESTS = 3;
const WRONG_REQUESTS = 5;

/** These end what the other requests need: a session, the second factor, the organization's limits. They come last. */
const LAST = [/./, /^DELETE/, /2fa|recovery|platform|members|organization/, /logout/];

let host: TestHost;
let document: Body;
let admit: (route: Route) => CallOptions;
let ids: Map<string, string[]>;
let bodyCheck: (name: string) => ValidateFunction | undefined;
beforeAll(async () => {
  host = await startHost();
  document = await apiDocument();
  admit = await admission(host);
  ids = await existingIds();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'api' });
  bodyCheck = (pointer) => ajv.compile({ $ref: `api${pointer}` });
}, 60_000);
afterAll(() => host?.close());

const resolved = (part: Body): Body =>
  part.$ref
    ? part.$ref
        .split('/')
        .slice(1)
        .reduce((node: Body, name: string) => node[name], document)
    : part;

/** Objects of the demo organization, by the path of their list: requests about nothing show little. */
async function existingIds(): Promise<Map<string, string[]>> {
  await host.call('POST', '/v1/payments', {
    amount: 5_000,
    currency: 'EUR',
    country: 'DE',
    payment_method: { type: 'card', token: 'ok' },
  });
  const lists = OURS.filter(
    ({ method, path, access }) => method === 'GET' && !path.includes('{') && access === 'scope',
  );
  const found = await Promise.all(
    lists.map(async ({ path }) => {
      const { body } = await host.call('GET', path);
      const items = Array.isArray(body) ? body : Object.values<Body>(Object(body)).find(Array.isArray);
      return [path, (items ?? []).flatMap(({ id }: Body) => (typeof id === 'string' ? [id] : []))] as const;
    }),
  );
  // Without the key that all other requests are made with.
  return new Map(found.filter(([path]) => path !== '/v1/api-keys'));
}

type Sent = { readonly query?: string; readonly body?: unknown; readonly key?: string | null };

async function ask(
  route: Route,
  { query = '', body, key: idempotencyKey = randomUUID() }: Sent,
  n = 0,
): Promise<number> {
  const known = ids.get(route.path.split('/{')[0] ?? '') ?? [];
  const address = addressOf(route, known[n % Math.max(1, known.length)] ?? `pay_${NEVER}`) + query;
  const { key = host.info.keys.service, headers } = admit(route);
  const response = await fetch(host.info.api + address, {
    method: route.method,
    headers: {
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  noteId(route, response.status, text);
  const seen = { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  (await responseCheck())(route.method, address, seen);
  expect(response.status, `${routeKey(route)} ${JSON.stringify(body)}: ${text}`).toBeLessThan(500);
  return response.status;
}

/** What was made is asked for later. */
function noteId({ path }: Route, status: number, text: string): void {
  const { id } = status === 201 ? JSON.parse(text) : { id: undefined };
  if (typeof id === 'string' && path !== '/v1/api-keys') ids.set(path, [...(ids.get(path) ?? []), id]);
}

const operationOf = ({ method, path }: Route): Body => document.paths[path][method.toLowerCase()];
const bodySchema = (route: Route): Schema | undefined =>
  operationOf(route).requestBody?.content['application/json'].schema;
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): readonly T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns: count });

/** An object of each kind that a body may name. */
const context = (isMinimal: boolean): Context => ({
  schemas: document.components.schemas,
  known: {
    connection_id: ids.get('/v1/connections') ?? [],
    routing_rule_id: ids.get('/v1/routing-rules') ?? [],
    integration_id: ids.get('/v1/workflows/integrations') ?? [],
    template_id: ids.get('/v1/workflows/templates') ?? [],
  },
  isMinimal,
});

function queriesOf(route: Route, isMinimal: boolean): fc.Arbitrary<string> {
  const parameters: readonly Body[] = (operationOf(route).parameters ?? []).map(resolved);
  // A cursor is a text that only this API writes.
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'cursor');
  const values = inQuery.map(({ name, schema }) => [name, valuesOf(schema, context(isMinimal))] as const);
  const requiredKeys: string[] = inQuery.filter(({ required }) => required).map(({ name }) => name);
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    values.filter(([name]) => !isMinimal || requiredKeys.includes(name)),
  );
  return fc.record(model, { requiredKeys }).map((query) => {
    const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return `?${new URLSearchParams(entries)}`;
  });
}

function requestsOf(route: Route, isMinimal: boolean): fc.Arbitrary<Sent> {
  const schema = bodySchema(route);
  return fc.record({
    query: queriesOf(route, isMinimal),
    ...(schema && { body: valuesOf(schema, context(isMinimal)) }),
  }) as fc.Arbitrary<Sent>;
}

/** Requests that the document forbids, from one that it allows. */
function wrongRequests(route: Route, allowed: Sent): readonly Sent[] {
  const { query = '?' } = allowed;
  const keyed = route.idempotency === 'required' || route.idempotency === 'in_record';
  const pointer = `#/paths/${route.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}`;
  const isAllowed = bodySchema(route)
    ? bodyCheck(`${pointer}/${route.method.toLowerCase()}/requestBody/content/application~1json/schema`)
    : undefined;
  const bodies = isAllowed ? [...changedBodies(allowed.body)].filter((body) => !isAllowed(body)) : [];
  return [
    { ...allowed, query: `${query}&colour=red` },
    ...(route.query ? [{ ...allowed, query: `${query}&limit=0&limit=1` }] : []),
    ...(keyed ? [{ ...allowed, key: null }] : []),
    ...bodies.slice(0, WRONG_REQUESTS).map((body) => ({ ...allowed, body })),
  ];
}

const rank = (route: Route): number => LAST.findLastIndex((pattern) => pattern.test(routeKey(route)));
const walk = OURS.toSorted((a, b) => rank(a) - rank(b));
const statuses = new Map<string, number[]>();
let wrong = 0;

it.each(walk)('$method $path answers as documented, and takes nothing that the document forbids', async (route) => {
  const allowed = [true, false].flatMap((isMinimal) => sample(requestsOf(route, isMinimal), VALID_REQUESTS));
  const seen: number[] = [];
  for (const [n, request] of allowed.entries()) seen.push(await ask(route, request, n));
  statuses.set(routeKey(route), seen);
  const [first = {}] = allowed;
  for (const request of wrongRequests(route, first)) {
    wrong += 1;
    expect(await ask(route, request), JSON.stringify(request)).toBeGreaterThanOrEqual(400);
  }
});

it('takes requests that the document allows', () => {
  const taken = [...statuses].filter(([, seen]) => seen.some((status) => status < 300)).map(([key]) => key);
  const all = [...statuses.values()].flat();
  process.stdout.write(
    `Of ${statuses.size} endpoints ${taken.length} took a generated request. ${all.length} requests were allowed, ${wrong} were not.\n`,
  );
  expect(taken.length).toBeGreaterThan(statuses.size / 2);
  expect(wrong).toBeGreaterThan(statuses.size * 2);
  for (const key of [
    'POST /v1/payments',
    'POST /v1/api-keys',
    'POST /v1/routing-rules',
    'GET /v1/payments',
    'POST /v1/webhooks/config',
  ])
    expect(taken).toContain(key);
});
