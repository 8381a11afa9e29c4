import { describe, expect, it } from 'vitest';
import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { derivedId, newId } from '#shared/kernel/ids.ts';
import type { EventsPort, FailedEventsQuery } from '#shared/ports/events.port.ts';
import { dueEntry, keys } from '#shared/store/keys.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { changed, memoryStore, times } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

type Where = Parameters<EventsPort['list']>[1];
type Store = ReturnType<typeof memoryStore>;

const TYPES = ['payment.created', 'payment.succeeded', 'payment.failed'] as const;
const TRY: EventAttempt = { at: START.toISOString(), status_code: 500, duration_ms: 12, error: null };

const eventId = (n: number): string => derivedId('event', later(n * 1_000), 'event', String(n));

const anEvent = (n = 1, about: Partial<EventRecord> = {}): EventRecord => ({
  id: eventId(n),
  org_id: ORG,
  type: TYPES[n % 3]!,
  created_at: later(n * 1_000).toISOString(),
  data: { id: 'pay_1', amount: 5_000, metadata: { order: n } },
  status: 'pending',
  attempts: [],
  tries: 0,
  next_attempt_at: later(n * 1_000).toISOString(),
  ...about,
});

async function recorded(about: Partial<EventRecord> = {}) {
  const store = memoryStore();
  const event = await store.events.record(anEvent(1, about));
  const stored = async () => (await store.events.get(ORG, event.id))!;
  return { ...store, event, stored };
}

/** Attempted once, with a retry in a minute. */
async function waiting() {
  const store = await recorded();
  await store.events.recordAttempt(store.event, {
    attempt: TRY,
    status: 'pending',
    nextAt: later(MINUTE),
    dueAt: later(MINUTE),
  });
  return store;
}

const dueOf = async ({ due }: Pick<Store, 'due'>, at: Date) =>
  (await Promise.all(due.shards.map((shard) => due.due(shard, at, 100)))).flat();

export function events(): void {
  describe('an event', () => {
    it('is found as it was recorded', async () => {
      const { event, stored } = await recorded();
      expect(await stored()).toEqual(event);
    });

    it('is read together with others of its organization, in the order asked for', async () => {
      const { events } = memoryStore();
      const [one, two] = [await events.record(anEvent(1)), await events.record(anEvent(2))];
      expect(await events.getMany(ORG, [two.id, eventId(3), one.id])).toEqual([two, one]);
      expect(await events.getMany('org_of_others', [one.id])).toEqual([]);
    });

    it('is recorded once; recording it again returns the stored event', async () => {
      const { events, event } = await recorded();
      await events.recordAttempt(event, { attempt: TRY, status: 'delivered', nextAt: null, dueAt: null });
      expect(await events.record(anEvent(1, { data: { another: true } }))).toMatchObject({
        status: 'delivered',
        attempts: [TRY],
        data: event.data,
      });
    });

    it.each([
      ['of another organization', 'org_other', eventId(1)],
      ['that does not exist', ORG, eventId(2)],
      ['with an invalid id', ORG, 'evt_1'],
    ])('%s is not found', async (_, orgId, id) => {
      const { events } = await recorded();
      expect(await events.get(orgId, id)).toBeUndefined();
    });

    it('shows each attempt, and when the next one is due', async () => {
      const { events, event, stored } = await recorded();
      expect(
        await events.recordAttempt(event, { attempt: TRY, status: 'pending', nextAt: later(MINUTE), dueAt: null }),
      ).toBe(true);
      expect(await stored()).toMatchObject({
        status: 'pending',
        attempts: [TRY],
        next_attempt_at: later(MINUTE).toISOString(),
      });
    });

    it('is settled only in the status in which it was read', async () => {
      const { events, event, stored } = await recorded();
      await events.recordAttempt(event, { status: 'skipped', nextAt: null, dueAt: null });
      expect(await events.recordAttempt(event, { attempt: TRY, status: 'delivered', nextAt: null, dueAt: null })).toBe(
        false,
      );
      expect(await stored()).toMatchObject({ status: 'skipped', attempts: [] });
    });

    it('is settled only for the number of attempts that it has', async () => {
      const { events, event, stored } = await recorded();
      await events.recordAttempt(event, { attempt: TRY, status: 'pending', nextAt: later(MINUTE), dueAt: null });
      expect(await events.recordAttempt(event, { attempt: TRY, status: 'failed', nextAt: null, dueAt: null })).toBe(
        false,
      );
      expect(await stored()).toMatchObject({ status: 'pending', attempts: [TRY] });
    });

    it('keeps its first and newest attempts, and counts all', async () => {
      const { events, table, event, stored } = await recorded();
      for (let n = 0; n < 60; n += 1) {
        const next = { attempt: { ...TRY, duration_ms: n }, status: 'failed', nextAt: null, dueAt: null } as const;
        expect(await events.recordAttempt(await stored(), next)).toBe(true);
      }
      const { tries, attempts } = await stored();
      expect([tries, attempts.map(({ duration_ms }) => duration_ms)]).toEqual([
        60,
        [0, ...Array.from({ length: 49 }, (_, n) => n + 11)],
      ]);
      expect(itemSize((await table.get(keys.event(ORG, event.id)))!)).toBeLessThan(8 * 1024);
    });

    it('is sent by one page of bulk replays within a time, however often that page is repeated', async () => {
      const { events, event, stored } = await recorded({ status: 'failed' });
      const claim = (page: string, ms: number) => events.claimReplay(event, page, later(ms), later(ms - 5 * MINUTE));
      expect((await times(10, (n) => claim(`replay ${n}`, 0))).filter(Boolean)).toHaveLength(1);
      const own = (await Promise.all(Array.from({ length: 10 }, (_, n) => claim(`replay ${n}`, 1)))).indexOf(true);
      expect([await claim(`replay ${own}`, MINUTE), await claim('another', 6 * MINUTE - 1)]).toEqual([true, false]);
      expect([await claim('another', 6 * MINUTE), await stored()]).toEqual([true, event]);
    });

    it('is settled by one of many concurrent attempts', async () => {
      const { events, event, stored } = await recorded();
      const settled = await times(10, (n) =>
        events.recordAttempt(event, {
          attempt: { ...TRY, duration_ms: n },
          status: 'delivered',
          nextAt: null,
          dueAt: null,
        }),
      );
      expect(settled.filter(Boolean)).toHaveLength(1);
      expect((await stored()).attempts).toHaveLength(1);
    });

    it('keeps a recorded replay, whatever is settled concurrently', async () => {
      const { events, table, event, stored } = await recorded();
      await events.recordAttempt(event, {
        attempt: TRY,
        status: 'pending',
        nextAt: later(MINUTE),
        dueAt: later(MINUTE),
      });
      const read = await stored();
      expect(await events.recordReplay(read, { ...TRY, duration_ms: 1 })).toBe(true);
      const { status, next_attempt_at, tries } = read;
      expect(await stored()).toMatchObject({ status, next_attempt_at, tries, attempts: [TRY, { duration_ms: 1 }] });
      expect((await table.get(keys.event(ORG, event.id)))?.due_sk).toBe(`${later(MINUTE).toISOString()}#${event.id}`);
      const next = { attempt: { ...TRY, duration_ms: 2 }, status: 'failed', nextAt: null, dueAt: null } as const;
      expect([
        await events.recordAttempt(read, next),
        await events.recordReplay(read, TRY),
        await events.recordAttempt(await stored(), next),
      ]).toEqual([false, false, true]);
      expect(await stored()).toMatchObject({
        status: 'failed',
        tries: 2,
        attempts: [TRY, { duration_ms: 1 }, { duration_ms: 2 }],
      });
      expect(await events.recordReplay(read, TRY)).toBe(false);
    });

    it('is settled without an attempt if no endpoint subscribes to it', async () => {
      const { events, event, stored } = await recorded();
      await events.recordAttempt(event, { status: 'skipped', nextAt: null, dueAt: null });
      expect(await stored()).toMatchObject({ status: 'skipped', attempts: [], next_attempt_at: null });
    });
  });

  describe('an event that has failed', () => {
    const failing = { attempt: TRY, status: 'failed', nextAt: null, dueAt: null } as const;
    const failedIds = async ({ events }: Pick<Store, 'events'>) =>
      (await events.list(ORG, { status: 'failed', limit: 50, offset: 0 })).items.map(({ id }) => id);

    it.each(['pending', 'delivered', 'skipped'] as const)(
      'is listed as failed, and one that is %s is not',
      async (status) => {
        const store = await recorded();
        await store.events.recordAttempt(store.event, { ...failing, status });
        expect(await failedIds(store)).toEqual([]);
        await store.events.recordAttempt(await store.stored(), failing);
        expect(await failedIds(store)).toEqual([store.event.id]);
        await store.events.recordAttempt(await store.stored(), { ...failing, status });
        expect(await failedIds(store)).toEqual([]);
      },
    );

    it('has an entry in the status index, unlike all other events', async () => {
      const { table, events } = memoryStore();
      const statuses = ['pending', 'delivered', 'failed', 'skipped'] as const;
      for (const [n, status] of statuses.entries())
        await events.recordAttempt(await events.record(anEvent(n)), { ...failing, status });
      const indexed = await Promise.all(
        statuses.map(async (_, n) => (await table.get(keys.event(ORG, eventId(n))))!.status_sk),
      );
      expect(indexed).toEqual([undefined, undefined, eventId(2), undefined]);
    });

    it('keeps its position in the list when it fails again', async () => {
      const store = await recorded();
      await store.events.recordAttempt(store.event, failing);
      await store.events.recordAttempt(await store.stored(), failing);
      expect(await failedIds(store)).toEqual([store.event.id]);
    });

    it('is not listed once it is delivered, even if its index entry lags', async () => {
      const event = anEvent(1, { status: 'failed' });
      const { pk, sk } = keys.event(ORG, event.id);
      const { events } = memoryStore({
        through: (table) =>
          changed(table, { entries: async () => ({ items: [{ pk, sk, at: event.id }], next: undefined }) }),
      });
      await events.record(event);
      expect(await failedIds({ events })).toEqual([event.id]);
      await events.recordAttempt(event, { ...failing, status: 'delivered' });
      expect(await failedIds({ events })).toEqual([]);
    });
  });

  describe('a walk through events without an attempt', () => {
    const MANY = 60;
    const all = Array.from({ length: MANY }, (_, n) => anEvent(n, { status: n % 5 === 4 ? 'skipped' : 'pending' }));
    const span = { since: later(5_000).toISOString(), until: later(50_000).toISOString() };

    it.each([1, 3, 25, 100])('visits each pending one once, oldest first, by pages of %i', async (limit) => {
      const { events } = memoryStore();
      for (const event of all) await events.record(event);
      const tried = all.filter(({ status }, n) => status === 'pending' && n % 6 === 0);
      for (const event of tried)
        await events.recordAttempt(event, { attempt: TRY, status: 'pending', nextAt: null, dueAt: null });
      await events.record(anEvent(7, { id: newId('event', later(7_000)), org_id: 'org_other', status: 'pending' }));
      const expected = all.slice(5, 50).filter((event) => event.status === 'pending' && !tried.includes(event));
      const found: string[] = [];
      let next: string | undefined;
      do {
        const page = await events.listUnattemptedIds(ORG, { ...span, ...(next && { after: next }) }, limit);
        expect(page.ids.length).toBeLessThanOrEqual(limit);
        found.push(...page.ids);
        next = page.next;
      } while (next !== undefined);
      expect(found).toEqual(expected.map(({ id }) => id));
      const type = 'payment.failed';
      const { ids } = await events.listUnattemptedIds(ORG, { ...span, type }, 100);
      expect(ids).toEqual(expected.filter((event) => event.type === type).map(({ id }) => id));
    });
  });

  describe('a walk through failed events', () => {
    const many = Array.from({ length: 120 }, (_, n) => anEvent(n, { status: n % 4 === 3 ? 'delivered' : 'failed' }));
    const failedIn = (from: number, to: number, fits: (event: EventRecord) => boolean = () => true) =>
      many.slice(from, to).flatMap((event) => (event.status === 'failed' && fits(event) ? [event.id] : []));
    const span = (from: number, to: number) => ({
      since: later(from * 1_000).toISOString(),
      until: later(to * 1_000).toISOString(),
    });

    async function holding(through = (table: TablePort) => table) {
      const { events } = memoryStore({ through });
      await Promise.all(
        [...many, anEvent(500, { org_id: 'org_other', status: 'failed' })].map((event) => events.record(event)),
      );
      return async (where: FailedEventsQuery, limit: number) => {
        const found: string[] = [];
        for (
          let page = await events.listFailedIds(ORG, where, limit);
          ;
          page = await events.listFailedIds(ORG, { ...where, after: page.next }, limit)
        ) {
          expect(page.ids.length).toBeLessThanOrEqual(limit);
          found.push(...page.ids);
          expect(found.length).toBeLessThanOrEqual(many.length);
          if (page.next === undefined) return found;
        }
      };
    }

    it.each([1, 2, 7, 30, 90, 100])('visits each event once, oldest first, by pages of %i', async (limit) => {
      expect(await (await holding())(span(0, 1_000), limit)).toEqual(failedIn(0, 120));
    });

    it('includes the start of a time range and excludes its end', async () => {
      const pages = await holding();
      expect(await pages(span(10, 60), 7)).toEqual(failedIn(10, 60));
      expect(await pages(span(2_000, 3_000), 7)).toEqual([]);
      expect(await pages({ since: '1970-01-01T00:00:00.000Z', until: '9999-12-31T23:59:59.999Z' }, 100)).toEqual(
        failedIn(0, 120),
      );
    });

    it('filters by type', async () => {
      const type = 'payment.failed';
      expect(await (await holding())({ ...span(5, 90), type }, 4)).toEqual(
        failedIn(5, 90, (event) => event.type === type),
      );
      expect(await (await holding())({ ...span(5, 90), type: 'invoice.paid' }, 4)).toEqual([]);
    });

    it.each<[string, (entries: TablePort['entries']) => TablePort['entries']]>([
      ['after one entry', (entries) => (index, where) => entries(index, { ...where, limit: 1 })],
      ['after three', (entries) => (index, where) => entries(index, { ...where, limit: Math.min(3, where.limit) })],
      [
        'before the first, which it holds for later',
        (entries) =>
          async (index, { after, ...where }) =>
            after ? entries(index, where) : { items: [], next: 'later' },
      ],
    ])('visits each event once if the store ends a page %s', async (_, ending) => {
      const pages = await holding((table) =>
        changed(table, { entries: ending((index, where) => table.entries(index, where)) }),
      );
      expect(await pages(span(0, 1_000), 20)).toEqual(failedIn(0, 120));
    });
  });

  describe('the due entry of an event', () => {
    it('exists if the next attempt is beyond the queue’s delay', async () => {
      const store = await waiting();
      expect(await dueOf(store, later(MINUTE - 1))).toEqual([]);
      expect(await dueOf(store, later(MINUTE))).toMatchObject([
        { kind: 'event', id: store.event.id, at: later(MINUTE).toISOString() },
      ]);
    });

    it('does not exist if the queue holds the message', async () => {
      const store = await recorded();
      await store.events.recordAttempt(store.event, {
        attempt: TRY,
        status: 'pending',
        nextAt: later(MINUTE),
        dueAt: null,
      });
      expect(await store.due.earliest()).toBeUndefined();
    });

    it('exists from the start if no message was sent yet', async () => {
      const { events, due } = memoryStore();
      const event = await events.record(anEvent(1), later(MINUTE));
      expect(await due.earliest()).toBe(later(MINUTE).toISOString());
      await events.recordAttempt(event, { attempt: TRY, status: 'delivered', nextAt: null, dueAt: null });
      expect(await due.earliest()).toBeUndefined();
    });

    it('is added for an event whose message may be lost, unless it was attempted meanwhile', async () => {
      const { events, due, event, stored } = await recorded();
      await events.schedule(event, later(MINUTE));
      const due_at = later(MINUTE).toISOString();
      expect([await due.earliest(), await stored()]).toEqual([due_at, { ...event, due_at }]);
      await events.recordAttempt(event, { status: 'skipped', nextAt: null, dueAt: null });
      await events.schedule(event, later(MINUTE));
      const tried = await events.record(anEvent(2));
      await events.recordAttempt(tried, {
        attempt: TRY,
        status: 'pending',
        nextAt: later(2 * MINUTE),
        dueAt: later(2 * MINUTE),
      });
      await events.schedule(tried, later(MINUTE));
      expect(await due.earliest()).toBe(later(2 * MINUTE).toISOString());
    });

    it('is not added for an event that does not exist', async () => {
      const { events, table, due } = await recorded();
      await events.schedule({ id: eventId(9), org_id: ORG, tries: 0 }, later(MINUTE));
      expect([await table.get(keys.event(ORG, eventId(9))), await due.earliest()]).toEqual([undefined, undefined]);
    });

    it('is not written again by an attempt after which it stays', async () => {
      const { events, table, event, stored } = await recorded();
      const entryOf = async () => {
        const { due_pk, due_sk } = (await table.get(keys.event(ORG, event.id)))!;
        return [due_pk, due_sk];
      };
      const plan = { attempt: TRY, status: 'pending', nextAt: later(MINUTE), dueAt: later(16 * MINUTE) } as const;
      await events.recordAttempt(event, plan);
      const [first, { due_at }] = [await entryOf(), await stored()];
      await events.recordAttempt(await stored(), { ...plan, nextAt: later(2 * MINUTE), dueAt: new Date(due_at!) });
      expect([due_at, await entryOf()]).toEqual([later(16 * MINUTE).toISOString(), first]);
    });

    it('is removed when the event is settled', async () => {
      const store = await waiting();
      await store.events.recordAttempt(await store.stored(), {
        attempt: TRY,
        status: 'delivered',
        nextAt: null,
        dueAt: null,
      });
      expect(await store.due.earliest()).toBeUndefined();
    });

    it('is later than the last attempt of the queue', async () => {
      const store = await recorded();
      await store.events.recordAttempt(store.event, {
        attempt: TRY,
        status: 'pending',
        nextAt: later(MINUTE),
        dueAt: later(16 * MINUTE),
      });
      expect(await store.due.earliest()).toBe(later(16 * MINUTE).toISOString());
    });

    it('is postponed by the sweep that claims it', async () => {
      const store = await waiting();
      expect(await store.events.claimDue(store.event, later(MINUTE).toISOString(), later(16 * MINUTE))).toBe(true);
      expect(await store.due.earliest()).toBe(later(16 * MINUTE).toISOString());
    });

    it('is claimed by one of many sweeps', async () => {
      const store = await waiting();
      const taken = await times(10, () =>
        store.events.claimDue(store.event, later(MINUTE).toISOString(), later(16 * MINUTE)),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    it.each([
      ['was attempted', { attempt: TRY, status: 'delivered', nextAt: null, dueAt: null }],
      ['was skipped', { status: 'skipped', nextAt: null, dueAt: null }],
    ] as const)('is not claimed if the event %s meanwhile', async (_, next) => {
      const store = await waiting();
      await store.events.recordAttempt(await store.stored(), next);
      expect(await store.events.claimDue(store.event, later(MINUTE).toISOString(), later(16 * MINUTE))).toBe(false);
      expect(await store.due.earliest()).toBeUndefined();
    });
  });

  describe('a list of events', () => {
    const STATUSES = ['pending', 'delivered', 'failed'] as const;
    const many = Array.from({ length: 300 }, (_, n) => anEvent(n, { status: STATUSES[(n >> 2) % 3]! }));

    async function holding(all = many) {
      const { events } = memoryStore();
      await Promise.all(all.map((event) => events.record(event)));
      return (where: Partial<Where> = {}): Promise<ListPage<EventRecord>> =>
        events.list(ORG, { limit: 50, offset: 0, ...where });
    }

    async function allOf(list: Awaited<ReturnType<typeof holding>>, where: Partial<Where>): Promise<string[]> {
      const found: string[] = [];
      for (let page = await list(where); ; page = await list({ ...where, offset: 0, cursor: page.next })) {
        found.push(...page.items.map((event) => event.id));
        if (page.next === undefined) return found;
      }
    }

    const expected = (fits: (event: EventRecord) => boolean, all = many) =>
      all
        .filter(fits)
        .map((event) => event.id)
        .reverse();

    it.each([1, 3, 50, 99, 200])('visits each event once, newest first, by pages of %i', async (limit) =>
      expect(await allOf(await holding(), { limit })).toEqual(expected(() => true)),
    );

    it.each<[string, Partial<Where>, (event: EventRecord) => boolean]>([
      ['type', { type: 'payment.failed' }, (e) => e.type === 'payment.failed'],
      ['status', { status: 'delivered' }, (e) => e.status === 'delivered'],
      ['failed status', { status: 'failed' }, (e) => e.status === 'failed'],
      [
        'type and status',
        { type: 'payment.created', status: 'failed' },
        (e) => e.type === 'payment.created' && e.status === 'failed',
      ],
      [
        'time',
        { created_after: later(100_000).toISOString(), created_before: later(150_000).toISOString() },
        (e) => e.id >= eventId(100) && e.id < eventId(150),
      ],
      ['a type without events', { type: 'invoice.paid' }, () => false],
    ])('is narrowed by %s', async (_, where, fits) => {
      const list = await holding();
      expect(await allOf(list, { ...where, limit: 7 })).toEqual(expected(fits));
      expect((await list({ ...where, limit: 5, offset: 4 })).items.map((event) => event.id)).toEqual(
        expected(fits).slice(4, 9),
      );
    });

    it('contains only events of its organization', async () => {
      const list = await holding([anEvent(1), anEvent(2, { org_id: 'org_other' })]);
      expect((await list()).items.map((event) => event.id)).toEqual([eventId(1)]);
    });

    it.each(['delivered', 'failed'] as const)(
      'ends an offset early and leaves the rest of it to the next page, for events that are %s',
      async (status) => {
        const hits = [0, 1, 2, 2_199];
        const all = Array.from({ length: 2_200 }, (_, n) =>
          anEvent(n, { status, type: hits.includes(n) ? 'invoice.paid' : 'payment.created' }),
        );
        const list = await holding(all);
        const first = await list({ type: 'invoice.paid', status, offset: 2 });
        expect(first.items).toEqual([]);
        const next = await list({
          type: 'invoice.paid',
          status,
          ...(first.next !== undefined && { cursor: first.next }),
        });
        expect(next.items.map(({ id }) => id)).toEqual([eventId(1), eventId(0)]);
      },
    );

    it('ends a page early if matches are rare, and continues from there', async () => {
      const all = Array.from({ length: 2_200 }, (_, n) =>
        anEvent(n, { type: n === 0 ? 'invoice.paid' : 'payment.created' }),
      );
      const list = await holding(all);
      expect(await list({ type: 'invoice.paid' })).toMatchObject({ items: [], next: expect.any(String) });
      expect(await allOf(list, { type: 'invoice.paid' })).toEqual([eventId(0)]);
    });
  });

  describe('the due index', () => {
    it('is read in order of time, up to now and up to a limit', async () => {
      const { table, due } = memoryStore();
      const shard = due.shards[0]!;
      await times(9, (n) =>
        table.put({
          pk: `PAY#${n}`,
          sk: 'PAY',
          due_pk: shard,
          due_sk: `${later(((n * 4) % 9) * 1_000).toISOString()}#pay_${n}`,
        }),
      );
      const found = await due.due(shard, later(6_000), 5);
      expect(found.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4].map((n) => later(n * 1_000).toISOString()));
      expect(found[0]).toEqual({
        kind: 'payment',
        id: 'pay_0',
        at: START.toISOString(),
        position: expect.any(String),
      });
      expect(await due.due(shard, later(6_000), 50)).toHaveLength(7);
    });

    it('returns the earliest entry of all shards', async () => {
      const { table, due } = memoryStore();
      expect(await due.earliest()).toBeUndefined();
      for (const [n, shard] of due.shards.entries()) {
        const at = later((10 - n) * 1_000).toISOString();
        await table.put({ pk: `PAY#${n}`, sk: 'PAY', due_pk: shard, due_sk: `${at}#pay_${n}` });
        expect(await due.earliest()).toBe(at);
      }
    });

    it('spreads events evenly over 64 shards', () => {
      const { due } = memoryStore();
      const counts = new Map<string, number>();
      for (let n = 0; n < 6_400; n += 1) {
        const shard = String(dueEntry(START.toISOString(), eventId(n)).due_pk);
        counts.set(shard, (counts.get(shard) ?? 0) + 1);
      }
      expect([due.shards.length, [...counts.keys()].sort()]).toEqual([64, [...due.shards].sort()]);
      expect(Math.max(...counts.values())).toBeLessThan(200);
    });

    it('finds and moves an entry that a release with four shards has written', async () => {
      const { table, due, events, event, stored } = await recorded();
      const entry = { due_pk: 'DUE#3', due_sk: `${START.toISOString()}#${event.id}` };
      await table.update(keys.event(ORG, event.id), { set: entry });
      const found = (await dueOf({ due }, START)).filter(({ id }) => id === event.id);
      expect(found).toMatchObject([{ kind: 'event', orgId: ORG, at: START.toISOString() }]);
      expect(await events.claimDue(await stored(), START.toISOString(), later(MINUTE))).toBe(true);
      expect((await dueOf({ due }, later(MINUTE))).map(({ at }) => at)).toEqual([later(MINUTE).toISOString()]);
    });
  });
}
