import { eventId } from '#shared/domain/payments/outbox.rules.ts';
import type { EventStub, Payment, PaymentAct } from '#shared/domain/payments/payment.model.ts';

/** Each KB of a record costs a write unit: only the newest are kept. */
const MAX_EVENT_TIMES = 60;
const MAX_ACTS = 30;

/** A payment, or a dispute of one: what has a story of events. */
type EventOwner = Pick<Payment, 'id' | 'created_at' | 'updated_at' | 'outbox' | 'announced' | 'event_ms'>;

/** How many events have left the outbox. */
const relayedCount = ({ announced, outbox }: EventOwner): number => announced - outbox.length;

/**
 * Notes when the events were made that leave the outbox: an event's id derives from its number and its time, so it is
 * found again without an index. That of the first event is not noted if it is as old as its record, as usual.
 */
export function withEventTimes<T extends EventOwner>(record: T, relayed: readonly EventStub[]): T {
  const gone = new Set(relayed.map(({ id }) => id));
  const leaving = record.outbox.filter(({ id }) => gone.has(id));
  const [first] = leaving;
  const later = relayedCount(record) === 0 && first?.at === record.created_at ? leaving.slice(1) : leaving;
  if (later.length === 0) return record;
  const created = Date.parse(record.created_at);
  const added = later.map(({ at }) => Date.parse(at) - created);
  return { ...record, event_ms: [...(record.event_ms ?? []), ...added].slice(-MAX_EVENT_TIMES) };
}

/** Notes who asked for a change, once: its repeats have the same time, and so have its later writes. */
export function withAct(payment: Payment, act: PaymentAct): Payment {
  const { acts = [] } = payment;
  if (acts.some(({ type, at, by }) => endpointOf(type) === endpointOf(act.type) && at === act.at && by === act.by))
    return payment;
  return { ...payment, acts: [...acts, act].slice(-MAX_ACTS) };
}

/** A cancel ends a review with its first write. Its next ones, such as the refund that follows, are no further act. */
const endpointOf = (type: PaymentAct['type']): PaymentAct['type'] => (type === 'end_review' ? 'cancel' : type);

/** What the change made: the id of a refund, capture or attempt that was not there before. */
export function madeBetween(before: Payment, after: Payment): string | undefined {
  const known = new Set(partIds(before));
  return partIds(after).find((id) => !known.has(id));
}

const partIds = ({ refunds, captures = [], attempts }: Payment): readonly string[] =>
  [...refunds, ...captures, ...attempts].map(({ id }) => id);

/** So many events of one record are read at once: the newest. */
const MAX_EVENTS = 60;

/**
 * The ids of the record's events. Records of earlier releases did not note their times: there the time of the last
 * change is tried for all but the first, so a caller sees which exist.
 */
export function eventIdsOf(record: EventOwner): readonly string[] {
  const { announced, outbox, event_ms = [], created_at, updated_at } = record;
  const created = Date.parse(created_at);
  const relayed = relayedCount(record);
  const times = new Map<number, number>([
    [0, created],
    ...event_ms.map((ms, n) => [relayed - event_ms.length + n, created + ms] as const),
    ...outbox.map(({ at }, n) => [relayed + n, Date.parse(at)] as const),
  ]);
  const first = Math.max(0, announced - MAX_EVENTS);
  const numbers = Array.from({ length: announced - first }, (_, n) => first + n);
  return numbers.map((n) => eventId(record.id, n, new Date(times.get(n) ?? updated_at)));
}
