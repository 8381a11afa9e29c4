import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import type { ConnectionWorkflow, EventRecord, EventType, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import type { Deps } from '#shared/ports/deps.ts';

type OutboxOwner = { readonly org_id: string; readonly outbox: readonly EventStub[] };

/**
 * Stores a resource's outbox as event records, then publishes them to the bus; only then may they leave the outbox.
 * After a crash all of it is repeated, which the event's id makes harmless. `through` is the connection with its own
 * workflow that a payment used; the record keeps it for later publications.
 */
export async function publishOutbox(
  resource: OutboxOwner,
  dataOf: (stub: EventStub) => EventRecord['data'],
  { events, bus }: Pick<Deps, 'events' | 'bus'>,
  through: (stub: EventStub) => ConnectionWorkflow | undefined = () => undefined,
): Promise<readonly EventStub[]> {
  const stored = await Promise.all(
    resource.outbox.map(async (stub) => {
      const own = through(stub);
      const event = eventOf(resource.org_id, stub, dataOf(stub));
      return { own, event: await events.record(own ? { ...event, through: own } : event) };
    }),
  );
  const fresh = stored.filter(({ event }) => event.status === 'pending' && event.tries === 0);
  if (fresh.length > 0)
    await bus.publish(fresh.map(({ own, event: { id, type, org_id } }) => ({ id, type, org_id, through: own })));
  return resource.outbox;
}

const eventOf = (org_id: string, stub: EventStub, data: EventRecord['data']): NewEvent => ({
  id: stub.id,
  org_id,
  type: stub.type as EventType,
  created_at: stub.at,
  data,
  status: 'pending',
  attempts: [],
  next_attempt_at: stub.at,
});
