import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import { DAY, plus, SECOND } from '#shared/kernel/clock.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';
import { runScheduledWork } from '#test/faults/crash-sweep.support.ts';
import { type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, anIntent, drain, eventsOf } from '#test/support/payment-steps.ts';
import { aWorkflowShop, type StepInput, setRuleEnabled, type WorkflowShop } from '#test/support/workflow-shop.ts';

/** Whatever happens to the messages of events and executions, the executions that an event starts are run. */

type Kind = Pick<Fault, 'kind' | 'when'>;

const GROUP = 'workflow-runs';
const LOOK: StepInput = { type: 'condition', if: 'true' };

/** The faults worth trying at a call: a crash at a read leaves what the change before it left. */
const FAILS: readonly Kind[] = [{ kind: 'error', when: 'before' }];
const LEAVES: readonly Kind[] = [
  { kind: 'crash', when: 'before' },
  { kind: 'crash', when: 'after' },
  { kind: 'error', when: 'after' },
];
const READS: ReadonlySet<string> = new Set(['get', 'query']);

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());
afterEach(() => expect(host.faults.waiting).toEqual([]));

/** Lets the nth calls of the table from now on fail, one by one. */
async function failTable(...nths: readonly number[]): Promise<void> {
  for (const nth of nths)
    await host.control('POST', '/faults', { point: 'table', nth, kind: 'error', when: 'before', handler: GROUP });
}

/** The pending starts, and when each is tried. */
async function pendingStarts(): Promise<readonly DueEntry[]> {
  const entries = await Promise.all(
    host.deps.due.shards.map((shard) => host.deps.due.due(shard, plus(host.clock.now(), 400 * DAY), 1_000)),
  );
  return entries.flat().filter(({ kind }) => kind === 'owed_start');
}

const deadLetterCount = async (): Promise<number> => (await host.queue.deadLetters(GROUP)).length;
const aboutExecution = ({ event, rule_id, connection_id, status }: Body) => [
  event.type,
  rule_id ?? connection_id,
  status,
];

/** A shop with a rule, which creates events whose messages are lost. */
async function aShopLosingMessages() {
  const shop = await aWorkflowShop(host);
  const rule = await shop.when('payment.succeeded', LOOK);
  const loseMessages = async (count: number): Promise<readonly Body[]> => {
    await setRuleEnabled(host, shop, rule, false);
    const payments = await Promise.all(Array.from({ length: count }, () => shop.pay()));
    const events = (await Promise.all(payments.map(({ id }) => eventsOf(host, id, shop)))).flat();
    await setRuleEnabled(host, shop, rule, true);
    return events.filter(({ type }) => type === 'payment.succeeded');
  };
  return { shop, rule, forget: loseMessages };
}

const messageOf = ({ id, type }: Body, { org_id }: WorkflowShop) => ({ body: { id, type, org_id }, group: org_id });

/** As if its message had failed; retried in a second. */
function addPendingStart({ id, type }: Body, { org_id }: WorkflowShop): Promise<void> {
  const now = host.clock.now();
  return host.deps.executions.addPendingStart({ id, type, org_id, since: now.toISOString() }, plus(now, SECOND));
}

describe('an event whose message fails', () => {
  it('on every delivery still starts its executions later, for rules and for its connection', async () => {
    const shop = await aWorkflowShop(host);
    const { id, template_id: workflow_id } = await shop.when('payment.succeeded', LOOK);
    await shop.request('POST', '/v1/connections', { id: 'main', workflow_id });
    const intent = await anIntent(host, 'ok', {}, shop);
    await drain(host);
    const buried = await deadLetterCount();
    // Its five deliveries: the first call of the first, which records the failure afterwards, and in the others the
    // call after that record.
    await failTable(1, 4, 6, 8, 10);
    expect((await act(host, intent.id, 'confirm', undefined, shop)).body.status).toBe('succeeded');
    expect([await shop.executions(), await deadLetterCount(), (await pendingStarts()).length]).toEqual([
      [],
      buried + 1,
      1,
    ]);
    await advance(host, '15m');
    expect((await shop.executions()).map(aboutExecution).toSorted()).toEqual(
      [id, 'main'].map((cause) => ['payment.succeeded', cause, 'succeeded']).toSorted(),
    );
    expect([await pendingStarts(), await deadLetterCount()]).toEqual([[], buried + 1]);
  });

  it('only once starts its execution on the next delivery, and leaves nothing behind', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [event] = await forget(1);
    await failTable(2);
    await host.deps.queue.send(GROUP, [messageOf(event, shop)]);
    expect([(await shop.execution()).status, await pendingStarts()]).toEqual(['succeeded', []]);
  });

  it('and cannot be recorded starts its execution on the next delivery', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [event] = await forget(1);
    await failTable(1, 2);
    await host.deps.queue.send(GROUP, [messageOf(event, shop)]);
    expect([(await shop.execution()).status, await pendingStarts()]).toEqual(['succeeded', []]);
  });

  it('for long is retried at growing intervals, and starts its execution in the end', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [event] = await forget(1);
    const began = host.clock.now().getTime();
    await host.deps.executions.addPendingStart(
      { id: event.id, type: event.type, org_id: shop.org_id, since: new Date(began).toISOString() },
      new Date(began),
    );
    const waits: number[] = [];
    for (let last = began; waits.length < 4; ) {
      // After the entry, and its removal.
      await failTable(3);
      await advance(host, waits.length === 0 ? '1s' : `${waits.at(-1)}s`);
      const [{ at }] = (await pendingStarts()) as [DueEntry];
      waits.push(Math.round((Date.parse(at) - last) / SECOND));
      last = Date.parse(at);
    }
    expect(waits).toEqual(
      [900, 900, 1_800, 3_600].map((seconds) => expect.toSatisfy((s: number) => Math.abs(s - seconds) < 60)),
    );
    expect(await shop.executions()).toEqual([]);
    await advance(host, '2h');
    expect([(await shop.execution()).status, await pendingStarts()]).toEqual(['succeeded', []]);
  });
});

describe('an event whose message crashes its worker', () => {
  it.each<[string, Kind, readonly number[]]>([
    // In every delivery but the first, the first call records the failure.
    ['at the start or after the record of the failure', { kind: 'crash', when: 'before' }, [1, 3, 5, 7, 9]],
    ['after the first call', { kind: 'crash', when: 'after' }, [1, 2, 3, 4, 5]],
    [
      'at each of thirty calls but one',
      { kind: 'crash', when: 'before' },
      [1, ...Array.from({ length: 28 }, (_, n) => n + 3)],
    ],
  ])('on every delivery, %s, still starts its execution later, once', async (_, fault, nths) => {
    const { shop, forget } = await aShopLosingMessages();
    const [event] = await forget(1);
    const buried = await deadLetterCount();
    for (const nth of nths) await host.control('POST', '/faults', { ...fault, point: 'table', nth, handler: GROUP });
    await host.deps.queue.send(GROUP, [messageOf(event, shop)]);
    expect([await shop.executions(), await deadLetterCount(), (await pendingStarts()).map(({ id }) => id)]).toEqual([
      [],
      buried + 1,
      [event.id],
    ]);
    await host.control('DELETE', '/faults');
    await advance(host, '15m');
    expect([(await shop.execution()).status, await pendingStarts()]).toEqual(['succeeded', []]);
    await advance(host, '3d');
    expect((await shop.execution()).status).toBe('succeeded');
  });

  it('only once starts its execution on the next delivery, and leaves nothing behind', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [event] = await forget(1);
    await host.control('POST', '/faults', { point: 'table', nth: 1, kind: 'crash', when: 'before', handler: GROUP });
    await host.deps.queue.send(GROUP, [messageOf(event, shop)]);
    expect([(await shop.execution()).status, await pendingStarts()]).toEqual(['succeeded', []]);
  });

  it('once is checked one more time when the completed start cannot be recorded', async () => {
    const plain = await aWorkflowShop(host);
    const [told] = await eventsOf(host, (await plain.pay()).id, plain);
    await host.control('POST', '/faults', { point: 'table', nth: 1, kind: 'crash', when: 'before', handler: GROUP });
    // In the second delivery the failure is recorded, the rules are read, and the completed start is recorded.
    await failTable(4);
    await host.deps.queue.send(GROUP, [messageOf(told, plain)]);
    await drain(host);
    expect((await pendingStarts()).map(({ id, orgId }) => [id, orgId])).toEqual([[told.id, plain.org_id]]);
    await advance(host, '15m');
    expect([await plain.executions(), await pendingStarts()]).toEqual([[], []]);
  });
});

describe('an event whose message arrives', () => {
  it('costs an organization without rules one read of them, and leaves nothing behind', async () => {
    const plain = await aWorkflowShop(host);
    const [told] = await eventsOf(host, (await plain.pay()).id, plain);
    const calls = await callsOf(
      host,
      () => host.deps.queue.send(GROUP, [messageOf(told, plain)]).then(() => drain(host)),
      GROUP,
    );
    expect(calls.map(({ point, method }) => [point, method])).toEqual([['table', 'query']]);
    const { shop, forget } = await aShopLosingMessages();
    const [event] = await forget(1);
    await host.deps.queue.send(GROUP, [messageOf(event, shop)]);
    expect((await shop.execution()).status).toBe('succeeded');
    expect([await host.deps.executions.pendingStart(event.id), await pendingStarts()]).toEqual([undefined, []]);
  });
});

describe('a pending start', () => {
  it('is done once, by one of several workers that find it at once', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [alone, found] = await forget(2);
    const begin = (event: Body, times: number) =>
      callsOf(
        host,
        async () => {
          await addPendingStart(event, shop);
          const [{ id, at }] = (await pendingStarts()) as [DueEntry];
          await host.deps.queue.send(
            GROUP,
            Array.from({ length: times }, () => ({ body: { kind: 'owed_start', id, at }, group: shop.org_id })),
          );
          await drain(host);
        },
        GROUP,
      );
    const looksIn = (calls: readonly Body[]) => calls.filter(({ method }) => method === 'query').length;
    const once = looksIn(await begin(alone, 1));
    expect([once > 0, looksIn(await begin(found, 3))]).toEqual([true, once]);
    expect([(await shop.executions()).map(({ status }) => status), await pendingStarts()]).toEqual([
      ['succeeded', 'succeeded'],
      [],
    ]);
  });

  it('is done once, whichever of its calls fails or crashes', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [probe] = await forget(1);
    const begin = async (event: Body) => {
      await addPendingStart(event, shop);
      await advance(host, '2s');
    };
    const calls = await callsOf(host, () => begin(probe), GROUP);
    // Later calls belong to the execution.
    const own = calls.slice(0, calls.findLastIndex(({ method }) => method === 'update') + 1);
    expect(own.map(({ method }) => method)).toEqual(expect.arrayContaining(['get', 'update', 'query', 'put', 'send']));
    const points = own.flatMap(({ point, method }, n) =>
      (READS.has(method) ? FAILS : LEAVES).map((kind) => ({
        ...kind,
        point,
        method,
        nth: own.slice(0, n + 1).filter((c) => c.point === point).length,
      })),
    );
    const events = await forget(points.length);
    for (const [n, { method: _, ...fault }] of points.entries()) {
      await host.control('POST', '/faults', { ...fault, handler: GROUP });
      await begin(events[n]);
      expect(host.faults.waiting).toEqual([]);
    }
    await runScheduledWork(host);
    const byEvent = Map.groupBy(await shop.executions(), ({ event }) => event.id);
    for (const [n, { kind, when, method, nth }] of points.entries())
      expect(
        byEvent.get(events[n].id)?.map(({ status }) => status),
        `${kind} ${when} ${method}, ${nth}`,
      ).toEqual(['succeeded']);
    expect(await pendingStarts()).toEqual([]);
  }, 60_000);
});

describe('an execution whose message is lost', () => {
  it('before its first step is found, and runs', async () => {
    const { shop, forget } = await aShopLosingMessages();
    const [{ id: event_id }] = (await forget(1)) as [Body];
    const [{ id: template_id }] = (await shop.request('GET', '/v1/workflows/templates')).body.templates;
    await host.control('POST', '/faults', {
      point: 'queue',
      nth: 1,
      kind: 'crash',
      when: 'before',
      handler: 'workflows',
    });
    expect((await shop.request('POST', '/v1/workflows/executions', { template_id, event_id })).status).toBe(503);
    expect((await shop.execution()).status).toBe('pending');
    await advance(host, '2m');
    expect((await shop.execution()).status).toBe('succeeded');
  });

  it('between two steps, after failing on every delivery, is found, and continues', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when('payment.succeeded', { type: 'delay', for: '1m' }, LOOK);
    await shop.pay();
    expect((await shop.execution()).status).toBe('waiting');
    const buried = await deadLetterCount();
    await failTable(1, 2, 3, 4, 5);
    await advance(host, '61s');
    expect([(await shop.execution()).status, await deadLetterCount()]).toEqual(['waiting', buried + 1]);
    await advance(host, '1m');
    expect((await shop.execution()).status).toBe('succeeded');
  });
});
