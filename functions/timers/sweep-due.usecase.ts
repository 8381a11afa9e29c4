import { MINUTE, monotonic, plus, SECOND } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/** How many entries are read and enqueued at once. */
const PAGE_SIZE = 500;

/**
 * With fewer due entries in all shards together, each sweep enqueues all of them: they are usually processed before the
 * next sweep. More are a backlog.
 */
const MIN_BACKLOG = 2_000;

/**
 * No page begins later than this, so that the last one ends well within the function's minute. The next sweep
 * continues.
 */
const MAX_SWEEP_MS = 40 * SECOND;

/**
 * In a larger backlog an enqueued entry is skipped for this long. Then it is enqueued again, because its message may be
 * lost (docs/adr/0022).
 */
const ENQUEUE_AGAIN_AFTER = 15 * MINUTE;

/**
 * Hundreds of thousands of renewals fall due at midnight, so they have their own queue. Executions resume in theirs.
 */
const QUEUES: Readonly<Partial<Record<DueEntry['kind'], QueueName>>> = {
  subscription: 'renewals',
  invoice: 'renewals',
  execution: 'workflow-runs',
  owed_start: 'workflow-runs',
};
const queueOf = ({ kind }: DueEntry): QueueName => QUEUES[kind] ?? 'timers';

export type SweepDeps = Pick<Deps, 'clock' | 'due' | 'sweeps' | 'queue' | 'log'>;
type OldestDue = Map<DueEntry['kind'], string>;
type Sweep = { readonly at: Date; readonly isOver: () => boolean; readonly oldest: OldestDue };

/** Finds due entries and enqueues them. A late sweep also finds the entries of the sweeps that were missed. */
export async function sweepDue(deps: SweepDeps, maxMs = MAX_SWEEP_MS): Promise<void> {
  const end = monotonic() + maxMs;
  const sweep: Sweep = { at: deps.clock.now(), isOver: () => monotonic() >= end, oldest: new Map() };
  const shards = await deps.due.shardsDue(sweep.at);
  // A failing shard does not stop the others.
  const swept = await Promise.allSettled(shards.map((shard) => sweepShard(shard, sweep, deps)));
  if (sweep.oldest.size > 0) deps.log.info('due_found', overdueTimes(sweep));
  for (const result of swept) if (result.status === 'rejected') throw result.reason;
}

async function sweepShard(shard: string, sweep: Sweep, { due, sweeps, queue }: SweepDeps): Promise<void> {
  const { at, isOver, oldest } = sweep;
  let page = await due.due(shard, at, PAGE_SIZE);
  const isBacklog = page.length >= MIN_BACKLOG / due.shards.length;
  // Two sweeps at exactly the same time happen only with a stopped clock, after everything enqueued was processed.
  const wasEnqueued = isBacklog ? await sweeps.enqueuedBetween(shard, plus(at, -ENQUEUE_AGAIN_AFTER), at) : () => false;
  for (;;) {
    noteOldest(page, oldest);
    const toSend = page.filter((entry) => !wasEnqueued(entry));
    await enqueue(toSend, queue);
    if (isBacklog) await sweeps.recordEnqueued(shard, toSend, at);
    if (page.length < PAGE_SIZE || isOver()) return;
    page = await due.due(shard, at, PAGE_SIZE, page.at(-1));
  }
}

async function enqueue(entries: readonly DueEntry[], queue: SweepDeps['queue']): Promise<void> {
  for (const [name, group] of Map.groupBy(entries, queueOf)) await queue.send(name, group.map(messageOf));
}

/**
 * Grouped by organization, so that one backlog does not delay another. An entry without an organization is its own
 * group.
 */
const messageOf = ({ kind, id, at, orgId }: DueEntry) => ({
  body: { kind, id, at, ...(orgId !== undefined && { org_id: orgId }) },
  group: orgId ?? id,
});

function noteOldest(entries: readonly DueEntry[], oldest: OldestDue): void {
  for (const { kind, at } of entries) {
    const known = oldest.get(kind);
    if (known === undefined || at < known) oldest.set(kind, at);
  }
}

/** The age of the oldest due entry of each kind. */
function overdueTimes({ at, oldest }: Sweep): Readonly<Record<string, number>> {
  const overdueMs = (kind: DueEntry['kind']) => at.getTime() - Date.parse(oldest.get(kind) ?? at.toISOString());
  const [events, workflows] = [overdueMs('event'), Math.max(overdueMs('execution'), overdueMs('owed_start'))];
  return {
    payments_overdue_ms: overdueMs('payment'),
    events_overdue_ms: events,
    renewals_overdue_ms: Math.max(overdueMs('subscription'), overdueMs('invoice')),
    workflows_overdue_ms: workflows,
    background_overdue_ms: Math.max(events, workflows),
  };
}
