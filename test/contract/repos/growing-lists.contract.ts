import { describe, expect, it } from 'vitest';
import { grownCapacity, type ListShardCount, listShardsAt } from '#shared/domain/accounts/capacity.rules.ts';
import type { OrganizationCapacity } from '#shared/domain/accounts/organization.model.ts';
import type { EventRecord, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { eventPartition, keys } from '#shared/store/keys.ts';
import { InvoiceRepo, invoiceEntity } from '#shared/store/repos/billing/invoice.repo.ts';
import { SubscriptionRepo } from '#shared/store/repos/billing/subscription.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { ExecutionRepo } from '#shared/store/repos/workflows/execution.repo.ts';
import type { Item } from '#shared/store/table/table.port.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { aPayment, ORG } from '#test/support/payment.builder.ts';
import { anInvoice, aSubscription } from '#test/support/subscription.builder.ts';

const ALL = { limit: 200, offset: 0 } as const;
const FAILED = { status_code: 500, duration_ms: 3, error: null };
/** Enough records of each time that every partition of four and most of sixteen have one. */
const EACH = 20;

type Step = { readonly name: string; readonly grow?: ListShardCount; readonly pass?: number };
/** What happens to the organization; after each step some records are made. */
const STEPS: readonly Step[] = [
  { name: 'at first' },
  { name: 'right after growing to 16', grow: 16 },
  { name: 'a minute after that', pass: MINUTE },
  { name: 'right after growing to 64', grow: 64, pass: SECOND },
  { name: 'a minute after that, too', pass: MINUTE },
];

function anExecution(at: Date): Execution {
  const about = {
    status: 'succeeded',
    steps: [],
    error: null,
    event: { id: newId('event', at), type: 'invoice.paid' },
  };
  const times = { created_at: at.toISOString(), updated_at: at.toISOString(), next_step_at: null };
  const rest = { template_id: 'wft_1', rule_id: 'wfr_1', connection_id: null, started_at: null, ended_at: null };
  const inner = { version: 1, template_version: 1, at_step: null, at_type: null, at_since: null, starts: 0 };
  return { id: newId('execution', at), org_id: ORG, ...about, ...times, ...rest, ...inner } as unknown as Execution;
}

function organization() {
  const store = memoryStore();
  const { table, clock } = store;
  let capacity: OrganizationCapacity | undefined;
  const grow = async (count: ListShardCount) => {
    capacity = grownCapacity(capacity, count, clock.now());
    await table.update(keys.organization(ORG), { set: { capacity: { ...capacity } } });
  };
  const takeStep = async ({ grow: count, pass = 0 }: Step) => {
    clock.pass(pass);
    if (count !== undefined) await grow(count);
  };
  /** As a relay passes it on: an event lies where the lists of its resource do. */
  const shards = () => listShardsAt(capacity, clock.now());
  return { ...store, grow, takeStep, shards };
}

/** Makes records through all steps, with a list before each, so that every process knows an outdated number. */
async function grown<T extends { readonly id: string }>(
  make: (at: Date) => Promise<T>,
  list: () => Promise<{ readonly items: readonly { readonly id: string }[] }>,
  { takeStep, clock }: ReturnType<typeof organization>,
) {
  const made: T[] = [];
  const missed: string[] = [];
  for (const step of STEPS) {
    await list();
    await takeStep(step);
    for (let n = 0; n < EACH; n += 1) {
      clock.pass(1);
      made.push(await make(clock.now()));
    }
    const listed = (await list()).items.map(({ id }) => id);
    if (
      listed.join() !==
      made
        .map(({ id }) => id)
        .reverse()
        .join()
    )
      missed.push(step.name);
  }
  return { made, missed };
}

const partitionsOf = (items: readonly (Item | undefined)[]) => new Set(items.map((item) => String(item?.list_pk)));

export function growingLists(): void {
  describe('the lists of an organization that grows', () => {
    it('have all subscriptions, whenever they were created', async () => {
      const org = organization();
      const repo = new SubscriptionRepo(org.table, org.clock);
      const make = (at: Date) => repo.create(aSubscription({ id: newId('subscription', at) }));
      const { made, missed } = await grown(make, () => repo.list(ORG, ALL), org);
      expect([missed, (await repo.list(ORG, { ...ALL, status: 'active', plan_id: 'basic' })).items.length]).toEqual([
        [],
        5 * EACH,
      ]);
      expect(made.map(({ list_shards = 4 }) => list_shards)).toEqual(
        [4, 4, 16, 16, 64].flatMap((count) => Array.from({ length: EACH }, () => count)),
      );
      const items = await org.table.getMany(made.slice(-EACH).map(({ id }) => keys.subscription(id)));
      expect(partitionsOf(items).size).toBeGreaterThan(10);
    });

    it('have all invoices, whenever they were created', async () => {
      const org = organization();
      const repo = new InvoiceRepo(org.table, org.clock);
      const make = async (at: Date) => {
        const invoice = anInvoice({ id: newId('invoice', at), list_shards: org.shards() });
        await org.table.put(invoiceEntity.toItem(invoice));
        return invoice;
      };
      expect((await grown(make, () => repo.list(ORG, ALL), org)).missed).toEqual([]);
    });

    it('have all executions, whenever they were created', async () => {
      const org = organization();
      const repo = new ExecutionRepo(org.table, org.clock);
      const { missed } = await grown(
        (at) => repo.create(anExecution(at)),
        () => repo.list(ORG, ALL),
        org,
      );
      expect(missed).toEqual([]);
    });

    it('have all payments, in every status, whenever they were created', async () => {
      const org = organization();
      const make = async (at: Date) => {
        const payment = aPayment({ id: newId('payment', at), status: 'failed', list_shards: org.shards() });
        await org.table.put(paymentEntity.toItem(payment, at));
        return payment;
      };
      const list = () => org.payments.list(ORG, ['main'], { ...ALL, status: 'failed' });
      const { made, missed } = await grown(make, list, org);
      const whole = await org.payments.list(ORG, [String(made[0]!.connection_id)], ALL);
      expect([missed, whole.items.length]).toEqual([[], 5 * EACH]);
    });

    it('have all events, failed or not, whenever they were stored', async () => {
      const org = organization();
      const { made, missed } = await grownEvents(org);
      expect(missed).toEqual([]);
      const failed = made.filter((_, n) => n % 3 === 0);
      for (const event of failed)
        await org.events.recordAttempt(event, { status: 'failed', nextAt: null, dueAt: null });
      expect((await org.events.list(ORG, { ...ALL, status: 'failed' })).items.length).toBe(failed.length);
      const since = new Date(0).toISOString();
      const until = org.clock.now().toISOString();
      const page = await org.events.listFailedIds(ORG, { since, until, type: 'payment.created' }, 100);
      expect(page.ids).toEqual(failed.slice(0, page.ids.length).map(({ id }) => id));
      expect((await org.events.listUnattemptedIds(ORG, { since, until }, 100)).ids.length).toBeGreaterThan(60);
    });
  });

  describe('a process that has read the number of partitions', () => {
    it.each([-1, 0, 15, 31, 45, 59])('%i s after it has grown lists what others write 29 s later', async (seconds) => {
      const { table, clock, grow } = organization();
      const [reader, writer] = [new SubscriptionRepo(table, clock), new SubscriptionRepo(table, clock)];
      if (seconds < 0) await reader.list(ORG, ALL);
      clock.pass(Math.max(0, -seconds) * SECOND);
      await grow(64);
      clock.pass(Math.max(0, seconds) * SECOND);
      if (seconds >= 0) await reader.list(ORG, ALL);
      clock.pass((seconds < 0 ? 28 : 29) * SECOND);
      for (let n = 0; n < EACH; n += 1) await writer.create(aSubscription({ id: newId('subscription', clock.now()) }));
      expect((await reader.list(ORG, ALL)).items.length).toBe(EACH);
    });
  });

  describe('an event of an organization that has grown', () => {
    it('is found by its id, whenever it was stored', async () => {
      const org = organization();
      const { made } = await grownEvents(org);
      const found = await Promise.all(made.map(({ id }) => org.events.get(ORG, id)));
      expect(found).toEqual(made);
      expect(
        await org.events.getMany(
          ORG,
          made.map(({ id }) => id),
        ),
      ).toEqual(made);
      expect(await org.events.get(ORG, newId('event', org.clock.now()))).toBeUndefined();
    });

    it('keeps its partition with each attempt, and is found by the sweep', async () => {
      const org = organization();
      await grownEvents(org);
      const event = await org.events.record(anEvent(org, org.clock.now()));
      const [nextAt, attempt] = [org.clock.now(), { ...FAILED, at: org.clock.now().toISOString() }];
      expect(await org.events.recordAttempt(event, { attempt, status: 'pending', nextAt, dueAt: nextAt })).toBe(true);
      const { pk } = (await org.table.get(keys.event(ORG, event.id, 64)))!;
      expect(pk.startsWith(eventPartition(ORG, 0).slice(0, -1))).toBe(true);
      const due = (await Promise.all(org.due.shards.map((shard) => org.due.due(shard, nextAt, 10)))).flat();
      expect(due).toMatchObject([{ kind: 'event', id: event.id, orgId: ORG }]);
      const stored = (await org.events.get(ORG, event.id))!;
      expect(stored).toMatchObject({ tries: 1, list_shards: 64 });
      expect(await org.events.claimDue(stored, due[0]!.at, org.clock.now())).toBe(true);
    });

    it('is scheduled without its record, whenever it was stored', async () => {
      const org = organization();
      const { made } = await grownEvents(org);
      for (const { id } of [made[0]!, made[2 * EACH]!, made[4 * EACH]!]) {
        await org.events.schedule({ org_id: ORG, id, tries: 0 }, org.clock.now());
        expect((await org.events.get(ORG, id))?.due_at).toBe(org.clock.now().toISOString());
      }
    });

    it('is stored once, though its outbox is published again after the organization has grown', async () => {
      const org = organization();
      const event = anEvent(org, org.clock.now());
      await org.events.record(event);
      await org.grow(64);
      org.clock.pass(MINUTE);
      await org.events.record(event);
      expect((await org.events.list(ORG, ALL)).items.map(({ id }) => id)).toEqual([event.id]);
    });
  });

  describe('a record of an organization that has grown', () => {
    it('keeps its place in the lists when it changes', async () => {
      const org = organization();
      const repo = new SubscriptionRepo(org.table, org.clock);
      const old = await repo.create(aSubscription({ id: newId('subscription', org.clock.now()) }));
      const placeOf = async () => (await org.table.get(keys.subscription(old.id)))?.list_pk;
      const before = await placeOf();
      await org.grow(64);
      org.clock.pass(MINUTE);
      await repo.change(old, (s) => ({ ...s, amount: 3_000 }));
      expect([await placeOf(), (await repo.get(ORG, old.id))?.amount]).toEqual([before, 3_000]);
    });
  });
}

function anEvent({ shards }: ReturnType<typeof organization>, at: Date): NewEvent {
  const count = shards();
  return {
    id: newId('event', at),
    org_id: ORG,
    type: 'payment.created',
    created_at: at.toISOString(),
    data: { id: 'pay_1' },
    status: 'pending',
    attempts: [],
    next_attempt_at: at.toISOString(),
    ...(count !== 4 && { list_shards: count }),
  };
}

const grownEvents = (org: ReturnType<typeof organization>) =>
  grown<EventRecord>(
    (at) => org.events.record(anEvent(org, at)),
    () => org.events.list(ORG, ALL),
    org,
  );
