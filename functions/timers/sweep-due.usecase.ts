import type { Deps } from '#shared/ports/deps.ts';
import type { DueItem } from '#shared/ports/stores.port.ts';

/** One bite of a shard; what is left is taken by the next sweep, a minute later at most. */
const BITE = 500;

/** Looks what time asks for and hands it out; a late sweep finds all that the missed ones would have. */
export async function sweepDue(deps: Deps): Promise<void> {
  const at = deps.clock.now();
  const found = await Promise.all(deps.due.shards.map((shard) => deps.due.due(shard, at, BITE)));
  const messages = found.flat().map((item) => ({ body: messageOf(item), group: item.pk }));
  if (messages.length > 0) await deps.queue.send('timers', messages);
}

const messageOf = ({ kind, id, pk, at }: DueItem) => ({ kind, id, pk, at });
