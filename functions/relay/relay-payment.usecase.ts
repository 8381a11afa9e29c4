import type { EventRecord, EventType } from '#shared/domain/events.catalog.ts';
import { snapshot } from '#shared/domain/payment.events.ts';
import type { EventStub, Payment } from '#shared/domain/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'payments' | 'events' | 'bus'>;

/**
 * Passes a payment's announcements on: each becomes an event record, then goes on the bus, and only then leaves the
 * payment. Whatever dies in between, all of it is done again, and the event's id makes that harmless.
 */
export async function relayPayment(payment: Payment, deps: Needs): Promise<Payment> {
  const stubs = payment.outbox;
  const stored = await Promise.all(stubs.map((stub) => deps.events.record(eventOf(payment, stub))));
  const fresh = stored.filter((event) => event.status === 'pending' && event.attempts.length === 0);
  if (fresh.length > 0) await deps.bus.publish(fresh.map(({ id, type, org_id }) => ({ id, type, org_id })));
  return deps.payments.change(payment, (p) => withoutRelayed(p, stubs));
}

function withoutRelayed(payment: Payment, relayed: readonly EventStub[]): Payment | undefined {
  const ids = new Set(relayed.map((stub) => stub.id));
  const left = payment.outbox.filter((stub) => !ids.has(stub.id));
  return left.length === payment.outbox.length ? undefined : { ...payment, outbox: left };
}

const eventOf = (payment: Payment, stub: EventStub): EventRecord => ({
  id: stub.id,
  org_id: payment.org_id,
  type: stub.type as EventType,
  created_at: stub.at,
  data: snapshot(payment, stub),
  status: 'pending',
  attempts: [],
  next_attempt_at: stub.at,
});
