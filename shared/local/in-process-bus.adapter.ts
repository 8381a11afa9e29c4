import type { BusEvent, BusPort } from '#shared/ports/bus.port.ts';
import type { QueueName, QueuePort } from '#shared/ports/queue.port.ts';

/** Which queues hear of which events. A pattern is a type, a beginning of types (`payment.*`) or all (`*`). */
export type Subscriptions = Readonly<Record<string, readonly QueueName[]>>;

/** EventBridge's part on a single host: by the time `publish` resolves, each consumer's queue holds the event. */
export function inProcessBus(queue: QueuePort, subscriptions: Subscriptions): BusPort {
  return {
    async publish(events) {
      const heard = Map.groupBy(
        events.flatMap((event) => consumersOf(event, subscriptions).map((consumer) => ({ consumer, event }))),
        ({ consumer }) => consumer,
      );
      const sent = [...heard].map(([consumer, pairs]) =>
        queue.send(
          consumer,
          pairs.map(({ event }) => messageOf(event)),
        ),
      );
      await Promise.all(sent);
    },
  };
}

const messageOf = ({ id, type, org_id }: BusEvent) => ({ body: { id, type, org_id }, group: org_id });

/** Each once, by however many patterns it is named. */
function consumersOf({ type }: BusEvent, subscriptions: Subscriptions): QueueName[] {
  const lists = Object.entries(subscriptions).filter(([pattern]) => covers(pattern, type));
  return [...new Set(lists.flatMap(([, consumers]) => consumers))];
}

function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
