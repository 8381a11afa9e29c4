import type { SqliteQueue } from '#shared/local/sqlite-queue.adapter.ts';
import type { BusEvent, BusPort } from '#shared/ports/bus.port.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/** Which queues hear of which events. A pattern is a type, a beginning of types (`payment.*`) or all (`*`). */
export type Subscriptions = Readonly<Record<string, readonly QueueName[]>>;

/**
 * EventBridge's part on a single host: by the time `publish` resolves, each consumer's queue holds the event, and where it
 * rejects none does. Were it in one of them, and delivered from there, nobody would publish it again for the others.
 */
export function inProcessBus(queue: Pick<SqliteQueue, 'sendAll'>, subscriptions: Subscriptions): BusPort {
  return {
    async publish(events) {
      await queue.sendAll(events.flatMap((event) => consumersOf(event, subscriptions).map((name) => ({ queue: name, message: messageOf(event) }))));
    },
  };
}

const messageOf = ({ id, type, org_id, through }: BusEvent) => ({
  body: { id, type, org_id, ...(through && { through }) },
  group: org_id,
});

/** Each once, by however many patterns it is named. */
function consumersOf({ type }: BusEvent, subscriptions: Subscriptions): QueueName[] {
  const lists = Object.entries(subscriptions).filter(([pattern]) => covers(pattern, type));
  return [...new Set(lists.flatMap(([, consumers]) => consumers))];
}

function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
