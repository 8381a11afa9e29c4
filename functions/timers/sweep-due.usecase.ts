import { MINUTE, monotonic, plus, SECOND } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DueItem } from '#shared/ports/due.port.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/**
 * Entries of a page, read and handed out at once. A shard with fewer due entries is handed out whole each time: it is
 * usually done before the next sweep.
 */
const PAGE = 500;

/**
 * No page begins later than this, so that the last one ends well within the function's minute. The next sweep takes the
 * rest.
 */
const SWEEP_MS = 40 * SECOND;

/**
 * In a larger backlog a handed-out entry counts as under way for this long; then it is handed out again, as it may be
 * lost (ADR 22).
 */
const AGAIN_AFTER = 15 * MINUTE;

/** Renewals come by the hundred thousand at midnight, so they have a queue of their own. Workflows resume in theirs. */
const QUEUES: Readonly<Partial<Record<DueItem['kind'], QueueName>>> = {
  subscription: 'renewals',
  invoice: 'renewals',
  execution: 'workflow-runs',
  owed_start: 'workflow-runs',
};
const queueOf = ({ kind }: DueItem): QueueName => QUEUES[kind] ?? 'timers';

type Needs = Pick<Deps, 'clock' | 'due' | 'sweeps' | 'queue' | 'log'>;
type Sweep = { readonly at: Date; readonly isOver: () => boolean; readonly see: (found: readonly DueItem[]) => void };

/** Finds what is due and hands it out; a late sweep also finds what missed ones would have. */
export async function sweepDue(deps: Needs, mostMs = SWEEP_MS): Promise<void> {
  const [at, end] = [deps.clock.now(), monotonic() + mostMs];
  const oldest = new Map<DueItem['kind'], string>();
  const see = (found: readonly DueItem[]) => {
    for (const item of found) if (item.at < (oldest.get(item.kind) ?? '~')) oldest.set(item.kind, item.at);
  };
  const sweep: Sweep = { at, isOver: () => monotonic() >= end, see };
  // A failing shard does not stop the others.
  const swept = await Promise.allSettled(deps.due.shards.map((shard) => sweepShard(shard, sweep, deps)));
  // The age of the oldest due entry.
  const overdueMs = (kind: DueItem['kind']) => at.getTime() - Date.parse(oldest.get(kind) ?? at.toISOString());
  const overdue = {
    payments_overdue_ms: overdueMs('payment'),
    events_overdue_ms: overdueMs('event'),
    renewals_overdue_ms: Math.max(overdueMs('subscription'), overdueMs('invoice')),
    workflows_overdue_ms: Math.max(overdueMs('execution'), overdueMs('owed_start')),
  };
  if (oldest.size > 0) deps.log.info('due_found', overdue);
  for (const result of swept) if (result.status === 'rejected') throw result.reason;
}

async function sweepShard(shard: string, { at, isOver, see }: Sweep, { due, sweeps, queue }: Needs): Promise<void> {
  let page = await due.due(shard, at, PAGE);
  // Two sweeps at the very same time happen only with a stopped clock, after all that was handed out is done.
  const isOnItsWay = page.length < PAGE ? () => false : await sweeps.handedOut(shard, plus(at, -AGAIN_AFTER), at);
  const isBacklog = page.length === PAGE;
  for (;;) {
    see(page);
    const toSend = page.filter((item) => !isOnItsWay(item));
    await handOut(toSend, queue);
    if (isBacklog) await sweeps.note(shard, toSend, at);
    if (page.length < PAGE || isOver()) return;
    page = await due.due(shard, at, PAGE, page.at(-1));
  }
}

async function handOut(items: readonly DueItem[], queue: Needs['queue']): Promise<void> {
  for (const [name, own] of Map.groupBy(items, queueOf)) await queue.send(name, own.map(messageOf));
}

/**
 * Grouped by organization, so that one backlog does not delay another; an entry without an organization is its own
 * group.
 */
const messageOf = ({ kind, id, pk, at, orgId }: DueItem) => ({ body: { kind, id, pk, at }, group: orgId ?? pk });
