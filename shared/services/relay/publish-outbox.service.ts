import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import type { CarriedEvent, EventRecord, EventType, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import type { BusEvent } from '#shared/ports/bus.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type EventContext, triggersWork } from '#shared/services/workflows/triggers.service.ts';

export type PublishDeps = Pick<Deps, 'events' | 'bus' | 'workflows' | 'organizations' | 'clock'>;

type OutboxOwner = {
  readonly org_id: string;
  readonly outbox: readonly EventStub[];
  /** Its events are spread over as many partitions: see `capacity.rules`. */
  readonly list_shards?: number;
  readonly trace?: string;
};

/**
 * Stores a resource's outbox as event records, then publishes them to the bus; only then may they leave the outbox.
 * After a crash all of it is repeated, which the event's id makes harmless. `contextOf`: what else is known about an
 * event; the record keeps the connection with its own workflow for later publications.
 */
export async function publishOutbox(
  resource: OutboxOwner,
  dataOf: (stub: EventStub) => EventRecord['data'],
  deps: PublishDeps,
  contextOf: (stub: EventStub) => EventContext = () => ({}),
): Promise<readonly EventStub[]> {
  const stored = await Promise.all(
    resource.outbox.map((stub) => store(eventOf(resource, stub, dataOf(stub)), contextOf(stub), deps)),
  );
  const fresh = stored.filter(({ event }) => event.status === 'pending' && event.tries === 0);
  if (fresh.length > 0) await deps.bus.publish(fresh.map(busEventOf));
  return resource.outbox;
}

type StoredEvent = { readonly event: EventRecord; readonly context: EventContext; readonly isForWorkflows: boolean };

/** What is read of the organization's workflows is read meanwhile, so that an event waits for the store only once. */
async function store(event: NewEvent, context: EventContext, deps: PublishDeps): Promise<StoredEvent> {
  const { through } = context;
  const [stored, isForWorkflows] = await Promise.all([
    deps.events.record(through ? { ...event, through } : event),
    triggersWork(event, context, deps),
  ]);
  return { event: stored, context, isForWorkflows };
}

function busEventOf({ event, context, isForWorkflows }: StoredEvent): BusEvent {
  const { id, type, org_id } = event;
  const skipped = isForWorkflows ? {} : { workflows: false as const };
  const trace = event.trace !== undefined && { trace: event.trace };
  return { id, type, org_id, through: context.through, ...carried(event), ...skipped, ...trace };
}

/** Larger ones are read by their consumer. Ten of these fit into one call of the bus, and into one message batch. */
const MAX_CARRIED_BYTES = 8 * 1024;
/** The bus puts a message into SQS as it is, which refuses or replaces these. Clients may send them as metadata. */
const REFUSED_BY_QUEUES = /[\ufffe\uffff]/;

function carried({ created_at, data, list_shards }: EventRecord): { readonly event?: CarriedEvent } {
  const event = { created_at, data, ...(list_shards !== undefined && { list_shards }) };
  const text = JSON.stringify(event);
  return Buffer.byteLength(text) <= MAX_CARRIED_BYTES && !REFUSED_BY_QUEUES.test(text) ? { event } : {};
}

const eventOf = (
  { org_id, list_shards, trace: latest }: OutboxOwner,
  { trace = latest, ...stub }: EventStub,
  data: EventRecord['data'],
): NewEvent => ({
  id: stub.id,
  ...(list_shards !== undefined && { list_shards }),
  ...(trace !== undefined && { trace }),
  org_id,
  type: stub.type as EventType,
  created_at: stub.at,
  data,
  status: 'pending',
  attempts: [],
  next_attempt_at: stub.at,
});
