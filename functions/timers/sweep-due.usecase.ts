import type { Deps } from '#shared/ports/deps.ts';
import type { DueItem } from '#shared/ports/stores.port.ts';

/** One bite of a shard; what is left is taken by the next sweep, a minute later at most. */
const BITE = 500;

/** Looks what time asks for and hands it out; a late sweep finds all that the missed ones would have. */
export async function sweepDue(deps: Deps): Promise<void> {
  const at = deps.clock.now();
  const found = (await Promise.all(deps.due.shards.map((shard) => deps.due.due(shard, at, BITE)))).flat();
  if (found.length === 0) return;
  deps.log.info('due_found', { payments_overdue_ms: overdueMs(found, 'payment', at), events_overdue_ms: overdueMs(found, 'event', at) });
  await deps.queue.send(
    'timers',
    found.map((item) => ({ body: messageOf(item), group: item.pk })),
  );
}

const messageOf = ({ kind, id, pk, at }: DueItem) => ({ kind, id, pk, at });

/** How long the oldest has been due. What a sweep hands out is usually done, and due no more, before the next one comes. */
const overdueMs = (found: readonly DueItem[], kind: DueItem['kind'], at: Date): number =>
  Math.max(0, ...found.filter((item) => item.kind === kind).map((item) => at.getTime() - Date.parse(item.at)));
