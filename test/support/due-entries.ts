import { createHash } from 'node:crypto';
import { idFrom } from '#shared/kernel/ids.ts';
import type { QueueMessage, QueueName, QueuePort } from '#shared/ports/queue.port.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { START } from '#test/support/stopped-clock.ts';

export type Entry = { readonly id: string; readonly at: Date; readonly shard: string; readonly orgId?: string };

/** The id of the nth subscription, independent of time. */
export const subscriptionId = (n: number): string =>
  idFrom('subscription', START, createHash('sha256').update(`subscription ${n}`).digest());

/** A minimal item in the due index. */
export const dueItem = ({ id, at, shard, orgId }: Entry): Item => ({
  ...keys.subscription(id),
  due_pk: shard,
  due_sk: [at.toISOString(), id, ...(orgId ? [orgId] : [])].join('#'),
});

export async function putDue(table: TablePort, entries: readonly Entry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += 1_000)
    await Promise.all(entries.slice(from, from + 1_000).map((entry) => table.put(dueItem(entry))));
}

/** Marks it processed, so that it is no longer due. */
export const settle = (table: TablePort, id: string) =>
  table.update(keys.subscription(id), { remove: ['due_pk', 'due_sk'] });

export type Sent = QueueMessage & { readonly queue: QueueName };

/** Records sent messages. */
export function keepingQueue(): QueuePort & {
  readonly sent: Sent[];
  readonly take: () => Sent[];
  readonly ids: () => string[];
} {
  const sent: Sent[] = [];
  return {
    sent,
    take: () => sent.splice(0),
    ids: () => sent.splice(0).map(({ body }) => String(body.id)),
    send: async (queue, messages) => void sent.push(...messages.map((message) => ({ ...message, queue }))),
  };
}
