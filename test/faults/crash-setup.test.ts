import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshotOf } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { armCrash, crashesAt, crashPointsOf, describePoint, expireLease } from '#test/faults/crash-sweep.support.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

/** A process that crashes at any point of a change of an organization's setup: what payments read has it, or has not. */
let host: TestHost;
let shop: TestOrganization;
let connection: string;
beforeAll(async () => {
  host = await startHost();
  shop = await anOrganization(host);
  connection = (await aConnection(host, shop, { id: 'main' })).id;
});
afterAll(() => host?.close());

type Send = (idempotencyKey: string) => Promise<ApiResponse>;
const call = (method: string, path: string, body?: unknown, idempotencyKey: string = randomUUID()) =>
  host.call(method, path, body, { key: shop.key, idempotencyKey });
const rule = (about: object = {}) => ({ name: 'Rule', countries: ['DE'], connection_id: connection, ...about });
const aStoredRule = async (): Promise<string> => (await call('POST', '/v1/routing-rules', rule())).body.id;

let policies = 0;
/** Each makes something to change, and returns its change. */
const CHANGES: readonly (readonly [what: string, group: string, make: () => Promise<Send>])[] = [
  ['a new rule', 'routing-rules', async () => (key) => call('POST', '/v1/routing-rules', rule(), key)],
  [
    'a changed rule',
    'routing-rules',
    async () => {
      const path = `/v1/routing-rules/${await aStoredRule()}`;
      return (key) => call('PATCH', path, { priority: 7, countries: ['FR'] }, key);
    },
  ],
  [
    'a deleted rule',
    'routing-rules',
    async () => {
      const path = `/v1/routing-rules/${await aStoredRule()}`;
      return (key) => call('DELETE', path, undefined, key);
    },
  ],
  [
    'a connection that takes no more payments',
    'connections',
    async () => {
      const { id } = await aConnection(host, shop, { id: `extra_${randomUUID().slice(0, 8)}` });
      return (key) => call('DELETE', `/v1/connections/${id}`, undefined, key);
    },
  ],
  [
    'a fraud policy',
    'policies',
    async () => {
      policies += 1;
      const body = { enabled: true, max_amount: { EUR: 900_000 + policies } };
      return (key) => call('POST', '/v1/policies/fraud', body, key);
    },
  ],
];

/** What payments read, and the same from what the API shows. */
async function bothViews() {
  const { org_id } = shop;
  const { organizations, connections, routingRules, fraudPolicies, abTests } = host.deps;
  const read = await organizations.routingData(org_id);
  const fromItems = snapshotOf({
    organization: await organizations.byId(org_id),
    connections: await connections.list(org_id),
    deletedConnections: read.deletedConnections,
    rules: await routingRules.list(org_id),
    tests: (await abTests.running(org_id)).tests,
    fraud: await fraudPolicies.get(org_id),
  });
  return { read: JSON.parse(JSON.stringify(read)), fromItems: JSON.parse(JSON.stringify(fromItems)) };
}

describe.each(CHANGES)('a crash at any point of %s', (_, group, make) => {
  it('leaves payments with what the items say, and a repeat finishes it', async () => {
    const probe = await make();
    const points = await crashPointsOf(host, group, () => probe(randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(3);
    for (const point of points) {
      const where = describePoint(point);
      const [send, key] = [await make(), randomUUID()];
      await armCrash(host, point, group);
      if (!(await crashesAt(host, () => send(key), where))) continue;
      const crashed = await bothViews();
      expect(crashed.read, where).toMatchObject(crashed.fromItems);
      await expireLease(host);
      expect((await send(key)).status, where).toBeLessThan(300);
      const repeated = await bothViews();
      expect(repeated.read, where).toMatchObject(repeated.fromItems);
    }
  }, 60_000);
});

it('a rule that was created in spite of a crash is there once', async () => {
  const { rules } = await host.deps.organizations.routingData(shop.org_id);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});
