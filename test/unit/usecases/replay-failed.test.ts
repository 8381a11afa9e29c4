import { beforeEach, describe, expect, it } from 'vitest';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import {
  BULK_REPLAY_BUDGET,
  type BulkReplay,
  RESEND_AFTER,
  type ReplayPeriod,
} from '#shared/domain/webhooks/bulk-replay.rules.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';
import { ReplayFailedMessage } from '#shared/services/webhooks/delivery-message.schema.ts';
import { replayFailedPage, startBulkReplay } from '#shared/services/webhooks/replay-failed-events.service.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const [FAILED, PAGE, MAX_MESSAGES] = [10, 3, 500];
const at = (n: number): string => later(n * 1_000).toISOString();
const ids = Array.from({ length: FAILED }, (_, n) => derivedId('event', later(n * 1_000), 'replay', String(n)));
const EVER = { since: at(0), until: at(1_000) };

/** The process crashes at this call, before or after it. */
type Death = { readonly nth: number; readonly when: 'before' | 'after' };
class Died extends Error {}

/** An organization with failed events, its queue, and a worker that processes the messages one by one. */
async function world() {
  const { table, events, clock } = memoryStore();
  clock.pass(HOUR);
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
  const sent: QueueMessage['body'][] = [];
  let calls = 0;
  let death: Death | undefined;
  let onSent: ((id: string) => Promise<void>) | undefined;
  let beforeSave: ((replay: BulkReplay) => Promise<void>) | undefined;
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
      getMany: (...args: Parameters<typeof events.getMany>) => call(() => events.getMany(...args)),
      listFailedIds: (...args: Parameters<typeof events.listFailedIds>) => call(() => events.listFailedIds(...args)),
      listUnattemptedIds: (...args: Parameters<typeof events.listUnattemptedIds>) =>
        call(() => events.listUnattemptedIds(...args)),
    } as typeof events,
    clock,
    webhookConfigs: {
      get: (orgId: string) => call(() => receivers.get(orgId)),
      bulkReplay: (orgId: string) => call(() => receivers.bulkReplay(orgId)),
      saveBulkReplay: (replay: BulkReplay) =>
        call(async () => {
          await beforeSave?.(replay);
          return receivers.saveBulkReplay(replay);
        }),
    } as WebhookConfigRepo,
    queue: { send: (_: string, messages: readonly QueueMessage[]) => call(async () => void queued.push(...messages)) },
    log: { info: (event: string) => void ended.push(event), warn: () => {}, error: () => {} },
  };

  let started = 0;
  const start = (wish: ReplayPeriod = EVER) => {
    started += 1;
    return startBulkReplay(wish, { orgId: ORG, id: `operation ${started}`, at: clock.now() }, deps);
  };

  /**
   * Processes messages until none are left; a message whose worker crashes is received again. A delayed message waits by
   * the clock. Returns the events to be sent again, in that order.
   */
  async function process(dies?: Death): Promise<string[]> {
    [death, calls] = [dies, 0];
    const again: string[] = [];
    for (let message = queued.shift(), n = 0; message; message = queued.shift(), n += 1) {
      expect(n).toBeLessThan(MAX_MESSAGES);
      const { body, group, delaySeconds = 0 } = message;
      expect(group).toBe(ORG);
      clock.pass(delaySeconds * SECOND);
      if ('replay_failed' in body)
        await replayFailedPage(ReplayFailedMessage.parse(body), deps, PAGE).catch((error: unknown) => {
          if (!(error instanceof Died)) throw error;
          queued.push({ body, group: ORG });
        });
      else {
        again.push(String(body.event_id));
        await onSent?.(String(body.event_id));
      }
      if ('event_id' in body) sent.push(body);
    }
    return again;
  }
  async function work(wish: ReplayPeriod = EVER, dies?: Death): Promise<string[]> {
    death = undefined;
    await start(wish);
    return process(dies);
  }
  /** As a delivery does that fails once more. */
  async function fail(id: string): Promise<void> {
    const event = (await events.get(ORG, id))!;
    const attempt = { at: clock.now().toISOString(), status_code: 500, duration_ms: 1, error: null };
    await events.recordAttempt(event, { attempt, status: 'failed', nextAt: null, dueAt: null });
  }
  const onSave = (then: typeof beforeSave) => {
    beforeSave = then;
  };
  const onSend = (then: typeof onSent) => {
    onSent = then;
  };
  return {
    events,
    onSave,
    onSend,
    configure,
    start,
    process,
    work,
    fail,
    clock,
    configs: receivers,
    queued,
    ended,
    sent,
    calls: () => calls,
  };
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

  it('covers all of them, page by page, the oldest first', async () => {
    expect(await w.work()).toEqual(ids);
    for (const body of w.sent) expect(body).toMatchObject({ replay: true, only_failed: true });
  });

  it('then covers the events whose first message was lost, as first attempts', async () => {
    const lost = Array.from({ length: 30 }, (_, n) => derivedId('event', later(n * 1_000), 'lost', String(n)));
    for (const [n, id] of lost.entries()) await w.events.record({ ...anEvent(n, id), status: 'pending' });
    expect(await w.work()).toEqual([...ids, ...lost]);
    for (const body of w.sent.slice(ids.length)) expect(body).toMatchObject({ tries: 0, subscribed_only: true });
    const ofType = lost.filter((_, n) => n % 2 === 1);
    expect((await w.work({ ...EVER, type: 'payment.failed' })).slice(5)).toEqual(ofType);
  });

  it.each<[string, number, EventRecord['status'] | undefined]>([
    ['are younger than a lost one can be', 50 * MINUTE, undefined],
    ['have an attempt, and wait for the next', 0, 'pending'],
    ['were delivered', 0, 'delivered'],
    ['have no subscription', 0, 'skipped'],
  ])('leaves out events that %s', async (_, age, status) => {
    const id = derivedId('event', later(age), 'other');
    const event = await w.events.record({ ...anEvent(0, id), created_at: later(age).toISOString(), status: 'pending' });
    const attempt = { at: at(1), status_code: 500, duration_ms: 1, error: null };
    if (status) await w.events.recordAttempt(event, { attempt, status, nextAt: null, dueAt: null });
    expect(await w.work({ ...EVER, until: later(DAY).toISOString() })).toEqual(ids);
  });

  it.each<[string, ReplayPeriod, readonly string[]]>([
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
    for (let nth = 1; nth <= calls; nth += 1) {
      for (const when of ['before', 'after'] as const) {
        const another = await world();
        const again = await another.work(EVER, { nth, when });
        expect(another.calls(), `${when} call ${nth}`).toBeGreaterThan(calls);
        expect([...new Set(again)].toSorted(), `${when} call ${nth}`).toEqual(ids);
      }
    }
  });

  it('covers the events of a message that an earlier release has queued', async () => {
    w.queued.push({ body: { org_id: ORG, replay_failed: EVER }, group: ORG });
    expect(await w.process()).toEqual(ids);
  });
});

describe('further replays of an organization', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('join the running one, in which each event is sent once', async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => w.start()));
    expect(calls.filter(({ joined }) => !joined)).toHaveLength(1);
    expect(await w.process()).toEqual(ids);
  });

  it('add their events to the running one, of any time and type', async () => {
    await w.start({ since: at(4), until: at(6) });
    expect(await w.start({ since: at(0), until: at(2) })).toEqual({ joined: true });
    expect(await w.start({ ...EVER, type: 'payment.failed' })).toEqual({ joined: true });
    const again = await w.process();
    expect(new Set(again)).toEqual(new Set(ids.filter((_, n) => n < 2 || n === 4 || n % 2 === 1)));
  });

  it('join it up to the moment in which it ends', async () => {
    await w.start({ since: at(4), until: at(6) });
    let joined: object | undefined;
    w.onSave(async ({ periods }) => {
      if (periods.length > 0 || joined) return;
      joined = {};
      joined = await w.start({ since: at(0), until: at(2) });
    });
    expect((await w.process()).toSorted()).toEqual([...ids.slice(0, 2), ...ids.slice(4, 6)]);
    expect(joined).toEqual({ joined: true });
  });

  it('are refused once the running one has many periods apart', async () => {
    const start = (n: number) => w.start({ since: at(10 * n), until: at(10 * n + 1) });
    for (let n = 0; n < 20; n += 1) await start(n);
    await expect(start(20)).rejects.toMatchObject({ code: 'write_conflict' });
    expect(await start(3)).toEqual({ joined: true });
    expect(await w.process()).toEqual(ids.slice(0, 1));
    expect(await start(20)).toEqual({ joined: false });
  });

  it('that join send nothing again that the running one has sent', async () => {
    await w.start({ since: at(0), until: at(8) });
    let joined: object | undefined;
    w.onSend(async (id) => {
      await w.fail(id);
      joined ??= await w.start({ since: at(0), until: at(2_000) });
    });
    expect(await w.process()).toEqual(ids);
    expect(joined).toEqual({ joined: true });
    for (const body of w.sent) expect(body.attempted_before).toBe(w.sent[0]!.attempted_before);
  });

  it('send an event that failed again only after a while, and wait for it', async () => {
    await w.work();
    for (const id of ids) await w.fail(id);
    const before = w.clock.now().getTime();
    w.clock.pass(MINUTE);
    expect(await w.start()).toEqual({ joined: false });
    // What is queued now: the first page. The pass that waits comes after the last page.
    expect((await w.process()).toSorted()).toEqual(ids);
    expect(w.clock.now().getTime()).toBe(before + RESEND_AFTER);
  });

  it('start anew once the message of the running one is lost', async () => {
    await w.start();
    w.queued.length = 0;
    expect(await w.start()).toEqual({ joined: true });
    w.clock.pass(11 * MINUTE);
    expect(await w.start()).toEqual({ joined: false });
    expect(await w.process()).toEqual(ids);
  });

  it('drop the messages of a replay that was given up', async () => {
    await w.start();
    const late = w.queued.splice(0);
    w.clock.pass(11 * MINUTE);
    await w.start();
    w.queued.unshift(...late);
    expect(await w.process()).toEqual(ids);
  });

  it('pause once the budget of sends is used up, and leave out no event', async () => {
    const replay = await used(w, BULK_REPLAY_BUDGET.sends - 4);
    expect((await w.work()).toSorted()).toEqual(ids);
    expect(w.ended).toEqual(['replay_paused']);
    expect(w.clock.now().toISOString()).toBe(replay.window_ends_at);
  });
});

/** An organization whose earlier replay has sent this many. */
async function used({ clock, configs }: Awaited<ReturnType<typeof world>>, sends: number): Promise<BulkReplay> {
  const long = new Date(clock.now().getTime() - HOUR).toISOString();
  const replay: BulkReplay = {
    org_id: ORG,
    id: 'operation 0',
    started_at: long,
    previous_started_at: null,
    periods: [],
    step: 9,
    lost_at: long,
    window_ends_at: new Date(clock.now().getTime() + MINUTE).toISOString(),
    sends,
    version: 1,
  };
  await configs.saveBulkReplay(replay);
  return replay;
}
