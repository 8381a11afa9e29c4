import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  armCrash,
  type CrashPoint,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import {
  anEvent,
  anIntegration,
  aRule,
  aTemplate,
  EXECUTIONS,
  hookAt,
  INTEGRATIONS,
  RULES,
  TEMPLATES,
  WAIT,
} from '#test/support/workflows.ts';

/**
 * A process that crashes at any of its calls while workflows are defined: the same request again gets a normal
 * response.
 */
let host: TestHost;
let org: TestOrganization;
let template: string;
let event: string;
beforeAll(async () => {
  host = await startHost();
  org = await anOrganization(host);
  template = (await aTemplate(host, org, { steps: [WAIT] })).id;
  event = (await anEvent(host, org)).id;
  // The first request that needs the setup of the organization also stores its snapshot.
  await call('POST', EXECUTIONS, { template_id: template, event_id: event });
});
afterAll(() => host?.close());

const call = (method: string, path: string, body?: Body, idempotencyKey = randomUUID()) =>
  host.call(method, path, body, { key: org.key, idempotencyKey });
const read = async (path: string): Promise<ApiResponse> => call('GET', path);
const idsIn = async (path: string, list: string): Promise<string[]> =>
  (await read(`${path}?limit=200`)).body[list].map(({ id }: Body) => id);

/** Once per point: a request that crashes there, repeated until its response is final. */
async function atEachPoint(
  points: readonly CrashPoint[],
  least: number,
  work: (send: (method: string, path: string, body?: Body) => Promise<ApiResponse>, where: string) => Promise<void>,
): Promise<void> {
  expect(points.length).toBeGreaterThanOrEqual(least);
  for (const each of points) {
    await work(async (method, path, body) => {
      const key = randomUUID();
      await armCrash(host, each, 'workflows');
      const answers: ApiResponse[] = [];
      const sendOnce = async () => {
        const answer = await call(method, path, body, key);
        answers.push(answer);
        return answer;
      };
      const [answer] = (await crashesAt(host, sendOnce, describePoint(each))) ? [] : answers;
      if (answer) return answer;
      await expireLease(host);
      return retryUntilDone(host, () => call(method, path, body, key));
    }, describePoint(each));
  }
}

const http = (n: string, value: string) => ({
  name: n,
  type: 'http',
  config: { url: hookAt(host, 'crm'), headers: { authorization: value } },
});
const opened = async (id: string): Promise<Body> => {
  const integration = await host.deps.workflows.integration(org.org_id, id);
  return JSON.parse(
    (
      await host.deps.vault.open(integration?.sealed_secrets ?? '', { orgId: org.org_id, purpose: 'integration', id })
    ).reveal(),
  );
};

describe.each<[string, string, string, () => Body]>([
  ['integration', INTEGRATIONS, 'integrations', () => http('Made', 'once')],
  ['template', TEMPLATES, 'templates', () => ({ name: 'Made', steps: [WAIT] })],
  ['rule', RULES, 'rules', () => ({ name: 'Made', event: 'payment.failed', template_id: template })],
])('a crash at any point of creating a workflow %s', (kind, path, list, body) => {
  it('leaves exactly one, whose secrets can be decrypted', async () => {
    const points = await crashPointsOf(host, 'workflows', () => call('POST', path, body()));
    await atEachPoint(points, 4, async (send, where) => {
      const before = await idsIn(path, list);
      const answer = await send('POST', path, body());
      expect(answer.status, where).toBe(201);
      expect((await idsIn(path, list)).toSorted(), where).toEqual([...before, answer.body.id].toSorted());
      const stored = (await read(`${path}/${answer.body.id}`)).body;
      expect({ ...stored, signing_secret: answer.body.signing_secret }, where).toEqual({
        ...answer.body,
        signing_secret: answer.body.signing_secret,
      });
      if (kind === 'integration')
        expect(await opened(answer.body.id), where).toEqual({
          signing_secret: stored.signing_secret,
          headers: { authorization: 'once' },
        });
      await call('DELETE', `${path}/${answer.body.id}`);
    });
  }, 120_000);
});

describe('a crash at any point of changing', () => {
  it('an integration leaves it changed, with its masked values kept', async () => {
    const { id } = await anIntegration(host, org, http('Old', 'kept'));
    const wish = (n: number) => ({
      name: `New ${n}`,
      config: { headers: { authorization: '****', other: `value ${n}` } },
    });
    const points = await crashPointsOf(host, 'workflows', () => call('PATCH', `${INTEGRATIONS}/${id}`, wish(0)));
    let n = 0;
    await atEachPoint(points, 4, async (send, where) => {
      n += 1;
      expect((await send('PATCH', `${INTEGRATIONS}/${id}`, wish(n))).body, where).toMatchObject({
        name: `New ${n}`,
        config: { headers: { other: '****' } },
      });
      expect((await opened(id)).headers, where).toEqual({ authorization: 'kept', other: `value ${n}` });
    });
  }, 120_000);

  it('a template creates one version', async () => {
    const { id } = await aTemplate(host, org);
    const points = await crashPointsOf(host, 'workflows', () => call('PATCH', `${TEMPLATES}/${id}`, { name: 'Probe' }));
    await atEachPoint(points, 4, async (send, where) => {
      const before = (await read(`${TEMPLATES}/${id}`)).body;
      const answer = await send('PATCH', `${TEMPLATES}/${id}`, { name: `After ${before.version}`, steps: [WAIT] });
      expect(answer.body, where).toMatchObject({ name: `After ${before.version}`, version: before.version + 1 });
      expect((await read(`${TEMPLATES}/${id}`)).body, where).toEqual(answer.body);
      expect(await host.deps.workflows.templateVersion(org.org_id, id, before.version + 1), where).toEqual(answer.body);
    });
  }, 120_000);

  it('a rule leaves it changed', async () => {
    const { id } = await aRule(host, org, { template_id: template });
    const points = await crashPointsOf(host, 'workflows', () => call('PATCH', `${RULES}/${id}`, { priority: 1 }));
    let n = 1;
    await atEachPoint(points, 4, async (send, where) => {
      n += 1;
      expect((await send('PATCH', `${RULES}/${id}`, { priority: n })).body.priority, where).toBe(n);
      expect((await read(`${RULES}/${id}`)).body.priority, where).toBe(n);
    });
  }, 120_000);
});

describe.each<[string, string, () => Promise<Body>]>([
  ['integration', INTEGRATIONS, () => anIntegration(host, org)],
  ['template', TEMPLATES, () => aTemplate(host, org)],
  ['rule', RULES, () => aRule(host, org, { template_id: template })],
])('a crash at any point of deleting a workflow %s', (_, path, make) => {
  it('deletes it once and gets a normal response', async () => {
    const doomed = (await make()).id;
    const points = await crashPointsOf(host, 'workflows', () => call('DELETE', `${path}/${doomed}`));
    await atEachPoint(points, 4, async (send, where) => {
      const { id } = await make();
      const answer = await send('DELETE', `${path}/${id}`);
      expect([answer.status, answer.body], where).toEqual([200, { id, deleted: true }]);
      expect([(await read(`${path}/${id}`)).status, (await call('DELETE', `${path}/${id}`)).status], where).toEqual([
        404, 404,
      ]);
    });
  }, 120_000);
});

describe('a crash at any point of starting an execution', () => {
  const ids = () => ({ template_id: template, event_id: event });
  const list = () => idsIn(EXECUTIONS, 'executions');

  it('creates exactly one, which runs', async () => {
    const points = await crashPointsOf(host, 'workflows', () => call('POST', EXECUTIONS, ids()));
    expect(points.map(({ point }) => point)).toContain('queue');
    await atEachPoint(points, 4, async (send, where) => {
      const before = await list();
      const answer = await send('POST', EXECUTIONS, ids());
      expect([answer.status, (await list()).length], where).toEqual([201, before.length + 1]);
      await host.drain();
      expect((await read(`${EXECUTIONS}/${answer.body.id}`)).body, where).toMatchObject({
        status: 'waiting',
        steps: [{ id: 'wait', tries: 1 }],
      });
    });
  }, 120_000);

  it('creates one that runs, or none, when the request is not repeated', async () => {
    const points = await crashPointsOf(host, 'workflows', () => call('POST', EXECUTIONS, ids()));
    for (const each of points) {
      const before = await list();
      await armCrash(host, each, 'workflows');
      await call('POST', EXECUTIONS, ids());
      await runScheduledWork(host);
      for (const id of (await list()).filter((one) => !before.includes(one)))
        expect((await read(`${EXECUTIONS}/${id}`)).body.status, describePoint(each)).toBe('waiting');
    }
  }, 120_000);

  it('of canceling an execution leaves it canceled, and the response says so', async () => {
    const start = async (): Promise<string> => (await call('POST', EXECUTIONS, ids())).body.id;
    const probe = await start();
    const points = await crashPointsOf(host, 'workflows', () => call('POST', `${EXECUTIONS}/${probe}/cancel`));
    await atEachPoint(points, 4, async (send, where) => {
      const id = await start();
      await host.drain();
      const answer = await send('POST', `${EXECUTIONS}/${id}/cancel`);
      expect([answer.status, answer.body.status], where).toEqual([200, 'canceled']);
      expect((await call('POST', `${EXECUTIONS}/${id}/cancel`)).body.code, where).toBe('workflow_execution_over');
    });
  }, 120_000);
});
