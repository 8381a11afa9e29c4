import { REPEATED, type SqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import type { BusEvent, BusPort } from '#shared/ports/bus.port.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/** The queues of each event. A pattern is a type, a prefix (`payment.*`) or all (`*`). */
type EventQueues = Readonly<Record<string, readonly QueueName[]>>;
type SkippedBy = Readonly<Partial<Record<QueueName, keyof BusEvent>>>;

/**
 * What EventBridge does on AWS. Once `publish` resolves, every consumer's queue has the event; if it rejects, none has,
 * so that the relay publishes it again for all.
 */
export function inProcessBus(
  queue: Pick<SqliteQueue, 'sendAll'>,
  eventQueues: EventQueues,
  skippedBy: SkippedBy = {},
): BusPort {
  return {
    async publish(events) {
      await queue.sendAll(
        events.flatMap((event) =>
          consumersOf(event, eventQueues)
            .filter((name) => !isSkipped(event, skippedBy[name]))
            .map((name) => ({ queue: name, message: messageOf(event) })),
        ),
        REPEATED,
      );
    },
  };
}

const messageOf = ({ id, type, org_id, through, event, trace }: BusEvent) => ({
  body: {
    ...{ id, type, org_id },
    ...(through && { through }),
    ...(event && { event }),
    ...(trace !== undefined && { trace }),
  },
  group: org_id,
});

const isSkipped = (event: BusEvent, field: keyof BusEvent | undefined): boolean =>
  field !== undefined && event[field] !== undefined;

/** Each queue once, even if several patterns match. */
function consumersOf({ type }: BusEvent, eventQueues: EventQueues): QueueName[] {
  const lists = Object.entries(eventQueues).filter(([pattern]) => covers(pattern, type));
  return [...new Set(lists.flatMap(([, consumers]) => consumers))];
}

function covers(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
