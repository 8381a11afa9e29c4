import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** A resource with an outbox: unpublished events are stored in the same write as the change that caused them. */
export type OutboxOwner = { readonly id: string; readonly outbox: readonly EventStub[]; readonly announced: number };

/** The id of the resource's nth event. A repeated write or relay gives the event the same id. */
export function eventId(resourceId: string, n: number, at: Date): string {
  return derivedId('event', at, resourceId, String(n));
}

/** Adds an event to the outbox. `snapshot`: fields that may change before the event is delivered. */
export function withEvent<T extends OutboxOwner>(
  resource: T,
  type: EventType,
  at: Date,
  snapshot: EventStub['was'],
): T {
  const stub: EventStub = {
    id: eventId(resource.id, resource.announced, at),
    type,
    at: at.toISOString(),
    was: snapshot,
  };
  return { ...resource, outbox: [...resource.outbox, stub], announced: resource.announced + 1 };
}

/** Removes relayed events; undefined if there are none. */
export function withoutEvents<T extends OutboxOwner>(resource: T, relayed: readonly EventStub[]): T | undefined {
  const ids = new Set(relayed.map((stub) => stub.id));
  const remaining = resource.outbox.filter((stub) => !ids.has(stub.id));
  return remaining.length === resource.outbox.length ? undefined : { ...resource, outbox: remaining };
}
