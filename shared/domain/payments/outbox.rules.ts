import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** A resource that carries its unpublished events, in the write that caused them. */
export type Announcing = { readonly id: string; readonly outbox: readonly EventStub[]; readonly announced: number };

/** The id of the resource's nth event: the same however often the relay or a repeated write makes it. */
export function eventId(resourceId: string, n: number, at: Date): string {
  return derivedId('event', at, resourceId, String(n));
}

/** Adds an event. The write that stores the resource announces it. */
export function withEvent<T extends Announcing>(resource: T, type: EventType, at: Date, was: EventStub['was']): T {
  const stub: EventStub = { id: eventId(resource.id, resource.announced, at), type, at: at.toISOString(), was };
  return { ...resource, outbox: [...resource.outbox, stub], announced: resource.announced + 1 };
}

/** Removes what the relay has passed on; undefined where that changes nothing. */
export function withoutEvents<T extends Announcing>(resource: T, relayed: readonly EventStub[]): T | undefined {
  const ids = new Set(relayed.map((stub) => stub.id));
  const left = resource.outbox.filter((stub) => !ids.has(stub.id));
  return left.length === resource.outbox.length ? undefined : { ...resource, outbox: left };
}
