import { describe, expect, it } from 'vitest';
import { relayChanges } from '#functions/relay/relay-changes.usecase.ts';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { type BusEvent, BusRejected } from '#shared/ports/bus.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { changesIn } from '#shared/store/changes.ts';
import { keys } from '#shared/store/keys.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import type { PageQuery, TablePort } from '#shared/store/table/table.port.ts';
import { changed, memoryStore } from '#test/support/memory-store.ts';
import { aPayment, ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** Succeeded, with both of its events in the outbox. */
const paid = (n: number, about: Partial<Payment> = {}) => {
  const payment = aPayment({ id: paymentId(n), status: 'succeeded', ...about });
  return announce(announce(payment, 'payment.created', START), 'payment.succeeded', START);
};

type RelayOptions = {
  readonly refuse?: (event: BusEvent) => boolean;
  readonly through?: (table: TablePort) => TablePort;
  readonly isDown?: boolean;
};

/** A relay over stored payments; each inner list is a call of the bus. */
async function aRelay(
  payments: readonly Payment[],
  { refuse = () => false, through, isDown = false }: RelayOptions = {},
) {
  const store = memoryStore(through && { through });
  const calls: BusEvent[][] = [];
  const bus = {
    publish: async (events: readonly BusEvent[]) => {
      calls.push([...events]);
      if (isDown) throw new Error('The bus is down.');
      const ids = events.filter(refuse).map(({ id }) => id);
      if (ids.length > 0) throw new BusRejected('Some were not accepted.', new Set(ids));
    },
  };
  const items = payments.map((payment) => paymentEntity.toItem(payment, START));
  for (const item of items) await store.table.put(item);
  const records = items.map((item, n) => ({ seq: String(n), key: item, new: item }));
  // A moment later than the events, as the relay always is.
  const clock = { ...store.clock, now: () => later(SECOND) };
  const deps = { ...store, clock, bus, log: SILENT } as unknown as Deps;
  return {
    ...store,
    calls,
    relay: () => relayChanges(changesIn(records), deps),
    relayWith: (seq: string, read: () => never) =>
      relayChanges(
        changesIn(records).map((change) =>
          change.seq === seq && change.kind === 'payment' ? { ...change, new: read } : change,
        ),
        deps,
      ),
    outboxes: async () => Promise.all(payments.map(async ({ id }) => (await store.payments.byId(id))?.outbox.length)),
  };
}

describe('the relay of a batch', () => {
  it('publishes the events of several payments in calls of ten', async () => {
    const { calls, relay, outboxes } = await aRelay(Array.from({ length: 12 }, (_, n) => paid(n)));
    expect(await relay()).toEqual({});
    expect(calls.map((events) => events.length)).toEqual([10, 10, 4]);
    expect(new Set(calls.flat().map(({ id }) => id)).size).toBe(24);
    expect(await outboxes()).toEqual(Array(12).fill(0));
  });

  it('keeps the events of a payment in its outbox if the bus rejects one of them, and of that payment alone', async () => {
    const bad = paid(1);
    const { calls, relay, outboxes } = await aRelay([paid(0), bad, paid(2)], {
      refuse: ({ id }) => id === bad.outbox[1]?.id,
    });
    expect(await relay()).toEqual({ retryFrom: '1' });
    expect([calls.length, await outboxes()]).toEqual([1, [0, 2, 0]]);
  });

  it('publishes the events of all others if one payment cannot be read, and begins again at that one', async () => {
    const { relayWith, outboxes } = await aRelay([paid(0), paid(1), paid(2)]);
    const unreadable = () => {
      throw new Error('Not a payment.');
    };
    expect(await relayWith('1', unreadable)).toEqual({ retryFrom: '1' });
    expect(await outboxes()).toEqual([0, 2, 0]);
  });

  it('leaves out what a queue would refuse or change, so that its consumer reads the event', async () => {
    const described = ['plain \u{1f600}', 'not a character \ufffe', 'not a character \uffff'];
    const { calls, relay } = await aRelay(described.map((text, n) => paid(n, { metadata: { text } })));
    await relay();
    expect(calls.flat().map(({ event }) => event !== undefined)).toEqual([true, true, false, false, false, false]);
  });

  it('loses nothing while the bus is down', async () => {
    const { relay, outboxes } = await aRelay([paid(0), paid(1)], { isDown: true });
    expect(await relay()).toEqual({ retryFrom: '0' });
    expect(await outboxes()).toEqual([2, 2]);
  });

  it('does not let a payment that takes long hold up the events of the others', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = paid(0);
    const { calls, relay } = await aRelay([slow, paid(1)], {
      through: (table) =>
        changed(table, {
          put: async (item, condition) => {
            if (item.pk.startsWith('EVT#') && slow.outbox.some(({ id }) => id === item.sk)) await released;
            return table.put(item, condition);
          },
        }),
    });
    const done = relay();
    await expect.poll(() => calls.map((events) => events.length)).toEqual([2]);
    release();
    expect(await done).toEqual({});
    expect(calls.map((events) => events.length)).toEqual([2, 2]);
  });
});

const aRule = (about: Partial<WorkflowRule> = {}) => ({
  ...keys.workflow(ORG, 'rule', 'wfr_1'),
  item_type: 'workflow_rule',
  id: 'wfr_1',
  org_id: ORG,
  enabled: true,
  event: 'payment.succeeded',
  counts_since: START.toISOString(),
  ...about,
});

describe('events of an organization', () => {
  const flagged = (calls: readonly (readonly BusEvent[])[]) =>
    calls.flat().map(({ type, workflows }) => [type, workflows]);

  it('go to webhooks alone if it has no workflow for them, which takes one read for a batch', async () => {
    const reads: PageQuery[] = [];
    const { calls, relay } = await aRelay(
      Array.from({ length: 5 }, (_, n) => paid(n)),
      {
        through: (table) =>
          changed(table, {
            query: (where) => {
              reads.push(where);
              return table.query(where);
            },
          }),
      },
    );
    await relay();
    expect(flagged(calls)).toEqual(
      Array(5)
        .fill([
          ['payment.created', false],
          ['payment.succeeded', false],
        ])
        .flat(),
    );
    expect(reads.map(({ pk }) => pk)).toEqual([`WORK#${ORG}`]);
  });

  it('are stored while its workflows are read, so that no event waits for the store twice', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { calls, relay } = await aRelay([paid(0)], {
      through: (table) =>
        changed(table, {
          query: (where) => {
            ask();
            return table.query(where);
          },
          put: async (item, condition) => {
            if (item.pk.startsWith('EVT#')) await asked;
            return table.put(item, condition);
          },
        }),
    });
    expect([await relay(), calls.length]).toEqual([{}, 1]);
  });

  it('go to workflows too where an enabled rule is for their type', async () => {
    const { calls, relay, table } = await aRelay([paid(0)]);
    await table.put(aRule());
    await relay();
    expect(flagged(calls)).toEqual([
      ['payment.created', false],
      ['payment.succeeded', undefined],
    ]);
  });

  it('see a rule that was created just before them, though none was there a moment ago', async () => {
    const { table, clock, workflows } = await aRelay([]);
    expect(await workflows.recentRules(ORG, clock.now(), later(-SECOND))).toEqual([]);
    await table.put(aRule());
    expect(await workflows.recentRules(ORG, later(SECOND), later(0.9 * SECOND))).toHaveLength(1);
  });

  it('do not go to workflows for a disabled rule', async () => {
    const { calls, relay, table } = await aRelay([paid(0)]);
    await table.put(aRule({ enabled: false }));
    await relay();
    expect(flagged(calls)).toEqual([
      ['payment.created', false],
      ['payment.succeeded', false],
    ]);
  });

  it('go to the workflow of the connection that the payment used', async () => {
    const [attempt] = aPayment({ status: 'succeeded' }).attempts;
    const { calls, relay } = await aRelay([paid(0, { attempts: [{ ...attempt!, workflow_id: 'wft_1' }] })]);
    await relay();
    expect(flagged(calls)).toEqual([
      ['payment.created', undefined],
      ['payment.succeeded', undefined],
    ]);
  });

  it.each([
    ['a receipt is wanted and there is an address', true, 'customer@example.com', undefined],
    ['no receipt is wanted', false, 'customer@example.com', false],
    ['there is no address', true, null, false],
  ])('go there for a payment that succeeded if %s', async (_, email_receipts, customer_email, expected) => {
    const { calls, relay, table } = await aRelay([paid(0, { customer_email })]);
    await table.put({ ...keys.organization(ORG), item_type: 'organization', id: ORG, settings: { email_receipts } });
    await relay();
    expect(flagged(calls)).toEqual([
      ['payment.created', false],
      ['payment.succeeded', expected],
    ]);
  });
});
