import type { EventRecord, EventType, NewEvent } from '#shared/domain/events.catalog.ts';
import type { OwnWorkflow } from '#shared/domain/payment.events.ts';
import type { EventStub } from '#shared/domain/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Announcer = { readonly org_id: string; readonly outbox: readonly EventStub[] };

/**
 * Makes event records of what a resource announces, then puts them on the bus; only then may they leave the resource.
 * Whatever dies in between, all of it is done again, and the event's id makes that harmless. The bus alone is told
 * `through` which connection with a workflow a payment went.
 */
export async function passOn(
  resource: Announcer,
  dataOf: (stub: EventStub) => EventRecord['data'],
  { events, bus }: Pick<Deps, 'events' | 'bus'>,
  through: (stub: EventStub) => OwnWorkflow | undefined = () => undefined,
): Promise<readonly EventStub[]> {
  const stored = await Promise.all(resource.outbox.map(async (stub) => ({ stub, event: await events.record(eventOf(resource.org_id, stub, dataOf(stub))) })));
  const fresh = stored.filter(({ event }) => event.status === 'pending' && event.tries === 0);
  if (fresh.length > 0) await bus.publish(fresh.map(({ stub, event: { id, type, org_id } }) => ({ id, type, org_id, through: through(stub) })));
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
