import { beforeEach, describe, expect, it } from 'vitest';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';
import { ReplayFailedMessage } from '#shared/services/webhooks/delivery-message.schema.ts';
import { replayFailedPage } from '#shared/services/webhooks/replay-failed-events.service.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const [FAILED, PAGE] = [10, 3];
const at = (n: number): string => later(n * 1_000).toISOString();
const ids = Array.from({ length: FAILED }, (_, n) => derivedId('event', later(n * 1_000), 'replay', String(n)));
const EVER = { since: at(0), until: at(1_000) };

/** The process crashes at this call, before or after it. */
type Death = { readonly nth: number; readonly when: 'before' | 'after' };
class Died extends Error {}

/** An organization with failed events, its queue, and a worker that processes the messages one by one. */
async function world() {
  const { table, events } = memoryStore();
  const receivers = new WebhookConfigRepo(table);
  const configure = (enabled: boolean) =>
    table.put({
      pk: `RECV#${ORG}`,
      sk: 'RECV',
      org_id: ORG,
      url: 'https://shop.example/hook',
      events: ['*'],
      enabled,
      sealed_secret: '',
      version: 1,
      audits: 0,
    });
  await configure(true);
  for (const [n, id] of ids.entries()) await events.record(anEvent(n, id));

  const queued: QueueMessage[] = [];
  const ended: string[] = [];
  let calls = 0;
  let death: Death | undefined;
  const call = async <T>(act: () => Promise<T>): Promise<T> => {
    calls += 1;
    const dies = death?.nth === calls && death.when;
    if (dies === 'before') throw new Died();
    const answer = await act();
    if (dies === 'after') throw new Died();
    return answer;
  };
  const deps = {
    events: {
      listFailedIds: (...args: Parameters<typeof events.listFailedIds>) => call(() => events.listFailedIds(...args)),
    } as typeof events,
    webhookConfigs: { get: (orgId: string) => call(() => receivers.get(orgId)) } as WebhookConfigRepo,
    queue: { send: (_: string, messages: readonly QueueMessage[]) => call(async () => void queued.push(...messages)) },
    log: { info: (event: string) => void ended.push(event), warn: () => {}, error: () => {} },
  };

  /**
   * Processes messages until none are left; a message whose worker crashes is received again. Returns the events to
   * be sent again, in that order.
   */
  async function work(wish: object = EVER, dies?: Death): Promise<string[]> {
    death = dies;
    queued.push({ body: { org_id: ORG, replay_failed: wish }, group: ORG });
    const again: string[] = [];
    for (let message = queued.shift(); message; message = queued.shift()) {
      const { body, group } = message;
      expect(group).toBe(ORG);
      if ('replay_failed' in body)
        await replayFailedPage(ReplayFailedMessage.parse(body), deps, PAGE).catch(() =>
          queued.push({ body, group: ORG }),
        );
      else again.push(String(body.event_id));
      if ('event_id' in body) expect(body).toMatchObject({ replay: true, only_failed: true });
    }
    return again;
  }
  return { events, configure, work, queued, ended, calls: () => calls };
}

const anEvent = (n: number, id: string): EventRecord => ({
  id,
  org_id: ORG,
  type: n % 2 ? 'payment.failed' : 'payment.created',
  created_at: at(n),
  data: {},
  status: 'failed',
  attempts: [],
  tries: 9,
  next_attempt_at: null,
});

describe('a replay of all failed events', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('covers all of them, page by page, the oldest first', async () => expect(await w.work()).toEqual(ids));

  it.each<[string, object, readonly string[]]>([
    ['since a time', { since: at(4), until: at(1_000) }, ids.slice(4)],
    ['before a time', { since: at(0), until: at(4) }, ids.slice(0, 4)],
    ['of a type', { ...EVER, type: 'payment.failed' }, ids.filter((_, n) => n % 2 === 1)],
    ['of a type without events', { ...EVER, type: 'invoice.paid' }, []],
    ['of another time', { since: at(2_000), until: at(3_000) }, []],
  ])('covers the events that failed %s', async (_, wish, expected) => expect(await w.work(wish)).toEqual(expected));

  it('leaves out an event that was delivered before its page', async () => {
    const event = await w.events.get(ORG, ids[5]!);
    await w.events.recordAttempt(event!, { status: 'delivered', nextAt: null, dueAt: null });
    expect(await w.work()).toEqual(ids.toSpliced(5, 1));
  });

  it('ends early, and logs that, once webhooks are disabled', async () => {
    await w.configure(false);
    expect([await w.work(), w.ended]).toEqual([[], ['replay_ended_early']]);
  });

  it('leaves out no event, wherever the process crashes', async () => {
    await w.work();
    const calls = w.calls();
    expect(calls).toBe(4 * 3 + 3);
    for (let nth = 1; nth <= calls; nth += 1) {
      for (const when of ['before', 'after'] as const) {
        const another = await world();
        const again = await another.work(EVER, { nth, when });
        expect(another.calls(), `${when} call ${nth}`).toBeGreaterThan(calls);
        expect([...new Set(again)].toSorted(), `${when} call ${nth}`).toEqual(ids);
      }
    }
  });
});
