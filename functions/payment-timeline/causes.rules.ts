import { byOf } from '#functions/payment-timeline/payment-entries.rules.ts';
import type { Cause } from '#functions/payment-timeline/timeline.schema.ts';
import type { Payment, PaymentAct } from '#shared/domain/payments/payment.model.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { ID_PREFIX } from '#shared/kernel/ids.ts';

const CAUSE = / ~(\w+)$/;
const KNOWN = new RegExp(`^(${ID_PREFIX.key}|${ID_PREFIX.user}|${ID_PREFIX.execution})_`);

/** What `noteCause` has noted in a trace. Of what an earlier release wrote, and of reads, nothing is known. */
export function causeOf(trace: string | undefined): Cause | null {
  const cause = CAUSE.exec(trace ?? '')?.[1];
  if (cause === 'provider' || cause === 'customer') return { type: cause, id: null };
  if (cause !== undefined) return KNOWN.test(cause) ? byOf(cause) : null;
  return trace?.startsWith(`${ID_PREFIX.run}_`) ? { type: 'timer', id: null } : null;
}

/** A trace begins with the id of its request. Work of no request has the id of its run. */
export const requestOf = (trace: string | undefined): string | null =>
  trace?.startsWith(`${ID_PREFIX.request}_`) ? (trace.split(' ')[0] ?? null) : null;

/**
 * What each event follows from. A refund, a capture and a cancel are noted as acts and not in their trace: an event that
 * shows what an act made follows from it, and so do the others of its request.
 */
export function causesOf(
  events: readonly EventRecord[],
  { acts = [] }: Pick<Payment, 'acts'>,
): ReadonlyMap<string, Cause> {
  const byRequest = new Map<string | null, Cause>();
  for (const event of events) {
    const act = requestOf(event.trace) === null ? undefined : actBehind(event, acts);
    if (act) byRequest.set(requestOf(event.trace), byOf(act.by));
  }
  const known = events.map(({ id, trace }) => [id, causeOf(trace) ?? byRequest.get(requestOf(trace))] as const);
  return new Map(known.filter((pair): pair is readonly [string, Cause] => pair[1] !== undefined));
}

function actBehind({ type, created_at, data }: EventRecord, acts: readonly PaymentAct[]): PaymentAct | undefined {
  if (type === 'payment.canceled') return acts.findLast((act) => isCancel(act) && act.at <= created_at);
  const made = idIn(data.refund) ?? idIn(data.capture);
  return made === undefined ? undefined : acts.find((act) => act.made === made);
}

const isCancel = ({ type }: PaymentAct): boolean => type === 'cancel' || type === 'end_review';

const idIn = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'id' in part ? part.id : undefined;
