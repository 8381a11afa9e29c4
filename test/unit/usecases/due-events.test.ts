import { describe, expect, it } from 'vitest';
import { processDue } from '#functions/timers/process-due.usecase.ts';
import { LOST_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { keepingQueue } from '#test/support/due-entries.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const FAILED = { at: START.toISOString(), status_code: 500, duration_ms: 3, error: null };

/** An event that failed once. Its next attempt is in the queue; the sweep looks at it a quarter of an hour later. */
async function retriedEvent() {
  const { events, due, clock } = memoryStore();
  const queue = keepingQueue();
  const created_at = START.toISOString();
  const event = await events.record({
    id: newId('event', START),
    org_id: ORG,
    type: 'payment.created',
    created_at,
    data: { id: 'pay_1' },
    status: 'pending',
    attempts: [],
    next_attempt_at: created_at,
  });
  const record = async (nextAt: Date, dueAt: Date) =>
    events.recordAttempt((await events.get(ORG, event.id))!, { attempt: FAILED, status: 'pending', nextAt, dueAt });
  await record(later(5 * SECOND), later(5 * SECOND + LOST_AFTER));
  const sweep = async () => {
    const found = (await Promise.all(due.shards.map((shard) => due.due(shard, clock.now(), 100)))).flat();
    for (const { kind, id, at, orgId } of found)
      await processDue({ kind, id, at, org_id: orgId }, { events, queue, clock } as unknown as Deps);
    return { found: found.length, tries: queue.take().map(({ body }) => body.tries) };
  };
  return { events, clock, record, sweep, due, id: event.id };
}

describe('an event whose next attempt is in the queue', () => {
  it('is sent again when its message is lost', async () => {
    const { clock, sweep } = await retriedEvent();
    clock.pass(LOST_AFTER + 6 * SECOND);
    expect(await sweep()).toEqual({ found: 1, tries: [1] });
  });

  it('is only looked at again later, if an attempt was recorded in between', async () => {
    const { clock, record, sweep, due } = await retriedEvent();
    await record(later(6 * MINUTE), later(5 * SECOND + LOST_AFTER));
    clock.pass(LOST_AFTER + 6 * SECOND);
    expect([await sweep(), await due.earliest()]).toEqual([
      { found: 1, tries: [] },
      later(6 * MINUTE + LOST_AFTER).toISOString(),
    ]);
    clock.pass(6 * MINUTE);
    expect(await sweep()).toEqual({ found: 1, tries: [2] });
  });

  it('is found again after a crash between its claim and its message', async () => {
    const { clock, events, sweep, id } = await retriedEvent();
    clock.pass(LOST_AFTER + 6 * SECOND);
    const event = (await events.get(ORG, id))!;
    await events.claimDue(event, event.due_at!, later(2 * LOST_AFTER + 6 * SECOND));
    expect(await sweep()).toEqual({ found: 0, tries: [] });
    clock.pass(LOST_AFTER);
    expect(await sweep()).toEqual({ found: 1, tries: [1] });
  });
});
