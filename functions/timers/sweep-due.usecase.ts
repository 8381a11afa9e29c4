import { MINUTE, monotonic, plus, SECOND } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import type { DueItem } from '#shared/ports/stores.port.ts';

/** What is read and handed out at once. Of a shard in which less is due everything is handed out each time: it is usually done before the next one. */
const PAGE = 500;

/** No page is begun later, so that the last one ends well within the function's minute. What is left is the next sweep's. */
const SWEEP_MS = 40 * SECOND;

/** Where more is due, an entry that was handed out is taken for being on its way for so long; then it is handed out again, as it may be lost (ADR 22). */
const AGAIN_AFTER = 15 * MINUTE;

/** Renewals come by the hundred thousand at midnight: nothing else waits behind them. Workflows go on where they began. */
const QUEUES: Readonly<Partial<Record<DueItem['kind'], QueueName>>> = {
  subscription: 'renewals',
  invoice: 'renewals',
  execution: 'workflow-runs',
  owed_start: 'workflow-runs',
};
const queueOf = ({ kind }: DueItem): QueueName => QUEUES[kind] ?? 'timers';

type Needs = Pick<Deps, 'clock' | 'due' | 'sweeps' | 'queue' | 'log'>;
type Sweep = { readonly at: Date; readonly isOver: () => boolean; readonly see: (found: readonly DueItem[]) => void };

/** Looks what time asks for and hands it out; a late sweep finds all that the missed ones would have. */
export async function sweepDue(deps: Needs, mostMs = SWEEP_MS): Promise<void> {
  const [at, end] = [deps.clock.now(), monotonic() + mostMs];
  const oldest = new Map<DueItem['kind'], string>();
  const see = (found: readonly DueItem[]) => {
    for (const item of found) if (item.at < (oldest.get(item.kind) ?? '~')) oldest.set(item.kind, item.at);
  };
  const sweep: Sweep = { at, isOver: () => monotonic() >= end, see };
  // A shard that fails stops no other.
  const swept = await Promise.allSettled(deps.due.shards.map((shard) => sweepShard(shard, sweep, deps)));
  // How long the oldest has been due.
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
  // Sweeps of one and the same instant come only from a clock that stands, after all that was handed out is through.
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

/** An organization's backlog does not delay another's; where the entry does not say whose it is, each stands for itself. */
const messageOf = ({ kind, id, pk, at, orgId }: DueItem) => ({ body: { kind, id, pk, at }, group: orgId ?? pk });
