import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  armCrash,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

/** A process that crashes at any point of a deletion: the same request again gets a normal response. */
let host: TestHost;
let org: TestOrganization;
let connection: string;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  ({ id: connection } = (await aConnection(host, org)) as Body);
});
afterAll(() => host?.close());

const call = (method: string, path: string, body?: Body, idempotencyKey = randomUUID()) =>
  host.call(method, path, body, { key: org.key, idempotencyKey });
const aRule = async (): Promise<Body> =>
  (await call('POST', '/v1/routing-rules', { name: 'A', countries: ['DE'], connection_id: connection })).body;

describe.each<[string, string, () => Promise<Body>]>([
  ['connection', 'connections', async () => (await aConnection(host, org)) as Body],
  ['routing rule', 'routing-rules', aRule],
])('deleting a %s', (_, group, make) => {
  it('takes effect once and gets a normal response, wherever the process crashes', async () => {
    const path = async () => `/v1/${group}/${(await make()).id}`;
    const doomed = await path();
    const points = await crashPointsOf(host, group, () => call('DELETE', doomed));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const point of points) {
      const [gone, key] = [await path(), randomUUID()];
      await armCrash(host, point, group);
      await call('DELETE', gone, undefined, key);
      expect(host.faults.waiting.length, describePoint(point)).toBe(0);
      await expireLease(host);
      const again = await retryUntilDone(host, () => call('DELETE', gone, undefined, key));
      expect([again.status, again.body], describePoint(point)).toEqual([
        200,
        { id: gone.split('/').at(-1), deleted: true },
      ]);
      expect([(await call('GET', gone)).status, (await call('DELETE', gone)).status], describePoint(point)).toEqual([
        404, 404,
      ]);
      if (group === 'connections')
        expect((await call('GET', `${gone}/audit`)).body.map(({ action }: Body) => action)).toEqual([
          'deleted',
          'created',
        ]);
    }
  }, 120_000);
});
