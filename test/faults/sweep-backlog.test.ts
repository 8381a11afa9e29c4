import { beforeAll, describe, expect, it } from 'vitest';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { SweepRepo } from '#shared/store/repos/due.repo.ts';
import { keepingQueue, putDue, type Sent, settle, subscriptionId } from '#test/support/due-entries.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { START } from '#test/support/stopped-clock.ts';

/** Entries due in one minute, and how many of them workers process in a minute: like 100,000 at 100 a second. */
const [RENEWALS, A_MINUTE] = [40_000, 2_400];

/**
 * Sweeps each minute until nothing is due; `brings` decides which messages arrive. Returns what was sent, and when each
 * entry was processed.
 */
async function workOff(brings: (sent: Sent, minute: number) => boolean) {
  const { table, clock, due } = memoryStore();
  const queue = keepingQueue();
  const deps = {
    clock,
    due,
    sweeps: new SweepRepo(table),
    queue,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  };
  const ids = Array.from({ length: RENEWALS }, (_, n) => subscriptionId(n));
  await putDue(
    table,
    ids.map((id) => ({ id, at: START, shard: indexKeys.due(id) })),
  );
  const done = new Map<string, number>();
  let [waiting, sent]: [string[], number] = [[], 0];
  for (let minute = 0; done.size < RENEWALS && minute < 60; minute += 1) {
    await sweepDue(deps);
    const out = queue.take();
    sent += out.length;
    waiting = [...waiting, ...out.filter((each) => brings(each, minute)).map(({ body }) => String(body.id))].filter(
      (id) => !done.has(id),
    );
    const now = [...new Set(waiting)].slice(0, A_MINUTE);
    await Promise.all(now.map((id) => settle(table, id)));
    for (const id of now) done.set(id, minute);
    clock.pass(MINUTE);
  }
  return { sent, done };
}

const LOST = new Set(Array.from({ length: RENEWALS / 100 }, (_, n) => subscriptionId(n * 100)));
let worked: Awaited<ReturnType<typeof workOff>>;
beforeAll(async () => {
  worked = await workOff(({ body }, minute) => minute > 0 || !LOST.has(String(body.id)));
}, 120_000);

describe('a backlog of a quarter of an hour', () => {
  it('is processed with less than a fifth of it sent twice', () => {
    expect(worked.done.size).toBe(RENEWALS);
    expect(worked.sent / RENEWALS).toBeLessThan(1.2);
  });

  it('sends lost messages again after the quarter of an hour', () => {
    // Enqueued together with unprocessed entries, and processed in that minute or the next.
    expect(new Set([...LOST].map((id) => [15, 16].includes(worked.done.get(id) ?? 0)))).toEqual(new Set([true]));
  });
});
