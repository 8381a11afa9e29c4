import {
  type AnswerInFlight,
  announceDispute,
  type Dispute,
  type DisputeAnswer,
  type DisputeStatus,
  type FoundDispute,
} from '#shared/domain/disputes/dispute.model.ts';
import {
  awaitsAnswer,
  EXPIRY_GRACE,
  isClosed,
  isLost,
  MAX_ANSWER_AGE,
  RESPONSE_DUE_BEFORE,
  rankOf,
  responseDueAt,
} from '#shared/domain/disputes/dispute.rules.ts';
import { addMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** `look_up`: the PSP's state now. `report`: an event's, which may come late or out of order. */
export type DisputeSource = 'look_up' | 'report';

type AccountOf = Pick<Dispute, 'org_id' | 'connection_id'>;

/**
 * The same for all who hear of the dispute, whenever they do: only the time in it differs. Merchants choose the ids of
 * connections, so other organizations may have the same.
 */
export const disputeId = ({ org_id, connection_id }: AccountOf, reference: string, at: Date): string =>
  derivedId('dispute', at, org_id, connection_id, reference);

type Opened = Pick<Payment, 'org_id' | 'mode' | 'id'> & Pick<Dispute, 'connection_id' | 'provider' | 'polled'>;

/** A dispute that is heard of for the first time. It may have ended already. */
export function openDispute(of: Opened, found: FoundDispute, at: Date): Dispute {
  const now = at.toISOString();
  const dispute: Dispute = {
    id: disputeId(of, found.reference, at),
    org_id: of.org_id,
    mode: of.mode,
    payment_id: of.id,
    connection_id: of.connection_id,
    provider: of.provider,
    psp_reference: found.reference,
    ...contentOf(found),
    answer: null,
    opened_at: found.opened_at ?? now,
    closed_at: isClosed(found) ? now : null,
    created_at: now,
    updated_at: now,
    version: 1,
    ...(of.polled && { polled: true }),
    ...(found.reopens && { reopened: true }),
    outbox: [],
    announced: 0,
  };
  const created = announceDispute(withoutLateWarning(dispute, at), 'dispute.created', at);
  return isClosed(created) ? announceDispute(created, 'dispute.closed', at) : created;
}

const contentOf = (found: FoundDispute) => ({
  charge_reference: found.paymentReference,
  amount: found.amount,
  currency: found.currency,
  status: found.status,
  reason: found.reason,
  provider_reason: found.provider_reason,
  respond_by: found.respond_by ?? null,
});

/** With less than a day left when it is heard of, the event that says so is warning enough. */
function withoutLateWarning(dispute: Dispute, at: Date): Dispute {
  const { respond_by } = dispute;
  return respond_by !== null && plus(respond_by, -RESPONSE_DUE_BEFORE) <= at
    ? { ...dispute, warned_for: respond_by }
    : dispute;
}

/** Applies what the PSP says; undefined for no change. */
export function applyFound(
  dispute: Dispute,
  found: FoundDispute,
  source: DisputeSource,
  at: Date,
): Dispute | undefined {
  const status = nextStatus(dispute, found, source);
  return status && announceChange(dispute, withContent(dispute, { ...found, status }), at);
}

/** What the PSP does not say this time is known from before. */
function withContent(dispute: Dispute, found: FoundDispute): Dispute {
  const content = contentOf(found);
  const saysNoReason = found.provider_reason === null && found.reason === 'general';
  return {
    ...dispute,
    ...content,
    charge_reference: content.charge_reference ?? dispute.charge_reference,
    respond_by: content.respond_by ?? dispute.respond_by,
    ...(found.reopens && { reopened: true }),
    ...(saysNoReason && { reason: dispute.reason, provider_reason: dispute.provider_reason }),
  };
}

/**
 * The PSP's own state counts as it is. A report only leads forward, or from one end to another: a second chargeback
 * turns a won dispute into a lost one, and arbitration opens it once more. Undefined if it comes too late. Why the
 * money was lost is known best to whoever said so first.
 */
function nextStatus(
  { status, reopened }: Dispute,
  { status: found, reopens }: FoundDispute,
  source: DisputeSource,
): DisputeStatus | undefined {
  if (isLost(status) && isLost(found)) return status;
  if (reopens && !reopened && !isLost(status)) return found;
  return source === 'look_up' || rankOf(found) >= rankOf(status) ? found : undefined;
}

const SHOWN = ['status', 'amount', 'currency', 'reason', 'provider_reason', 'respond_by', 'charge_reference'] as const;

/** Events say what has changed for the merchant; undefined if nothing has. */
function announceChange(before: Dispute, after: Dispute, at: Date): Dispute | undefined {
  const isChanged = SHOWN.some((field) => before[field] !== after[field]) || before.answer !== after.answer;
  if (!isChanged) return undefined;
  const now = at.toISOString();
  const hasEnded = isClosed(after) && before.status !== after.status;
  const closed_at = hasEnded ? now : after.closed_at;
  const changed = { ...after, updated_at: now, closed_at: isClosed(after) ? closed_at : null };
  return announceDispute(withoutLateWarning(changed, at), hasEnded ? 'dispute.closed' : 'dispute.updated', at);
}

/** Stores an answer before it is sent, so that no other one is sent meanwhile. */
export const reserveAnswer = (dispute: Dispute, answer: DisputeAnswer, operation: string): Dispute => ({
  ...dispute,
  sending: { ...answer, phase: 'calling', operation, from: dispute.status },
});

export const answerUnknown = (dispute: Dispute, operation: string): Dispute | undefined =>
  dispute.sending?.operation === operation
    ? { ...dispute, sending: { ...dispute.sending, phase: 'unknown' } }
    : undefined;

/** The PSP did not take the answer, so it can be given again. */
export function releaseAnswer(dispute: Dispute, operation: string): Dispute | undefined {
  const { sending, ...rest } = dispute;
  return sending?.operation === operation ? rest : undefined;
}

/** The PSP has taken the answer. `found`: the dispute as it is since; an answer may tell only its status. */
export function recordAnswer(dispute: Dispute, operation: string, found: FoundDispute, at: Date): Dispute | undefined {
  const { sending, ...rest } = dispute;
  if (sending?.operation !== operation) return undefined;
  const status = sending.type === 'accept' && isLost(found.status) ? 'accepted' : found.status;
  const answered = { ...addMarker(rest, operation), answer: answerOf(sending) };
  return announceChange(dispute, { ...answered, status, respond_by: found.respond_by ?? rest.respond_by }, at);
}

const answerOf = ({ type, fields, at, by }: AnswerInFlight): DisputeAnswer => ({ type, fields, at, by });

/**
 * What a look-up says of an answer without a response: the PSP has it if the dispute has moved since. Undefined while
 * that is not known.
 */
export function settleUnknownAnswer(dispute: Dispute, found: FoundDispute | undefined, at: Date): Dispute | undefined {
  const { sending } = dispute;
  if (!sending) return undefined;
  if (found && found.status !== sending.from) return recordAnswer(dispute, sending.operation, found, at);
  return plus(sending.at, MAX_ANSWER_AGE) <= at ? releaseAnswer(dispute, sending.operation) : undefined;
}

/**
 * What the clock alone changes: the event a day before the deadline, and the end of a dispute that nobody reports. An
 * inquiry without an answer takes no money: it stays open, as the bank may make it a dispute.
 */
export function applyDeadline(dispute: Dispute, hasLookUp: boolean, at: Date): Dispute | undefined {
  const { respond_by } = dispute;
  const due = responseDueAt(dispute);
  if (respond_by === null || !awaitsAnswer(dispute)) return undefined;
  if (!hasLookUp && dispute.status !== 'warning' && plus(respond_by, EXPIRY_GRACE) <= at)
    return announceChange(dispute, { ...dispute, status: 'expired' }, at);
  if (!due || due > at) return undefined;
  const warned = { ...dispute, warned_for: respond_by };
  return respond_by > at.toISOString() ? announceDispute(warned, 'dispute.response_due', at) : warned;
}
