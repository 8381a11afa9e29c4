import type { Dispute, DisputeAnswer, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import { chargeOf, paidAmount } from '#shared/domain/payments/capture.rules.ts';
import { afterDispute } from '#shared/domain/payments/disputed-refunds.machine.ts';
import type { DisputedMoney, Payment } from '#shared/domain/payments/payment.model.ts';
import { RELAY_GRACE } from '#shared/domain/payments/reconciliation.rules.ts';
import { chargedAttempt } from '#shared/domain/payments/refund.rules.ts';
import { DAY, HOUR, MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Later stages have higher ranks. Statuses of one rank exclude each other. */
const RANKS: Readonly<Record<DisputeStatus, number>> = {
  warning: 0,
  needs_response: 1,
  under_review: 2,
  won: 3,
  lost: 3,
  accepted: 3,
  expired: 3,
};

export const rankOf = (status: DisputeStatus): number => RANKS[status];
export const isClosed = ({ status }: Pick<Dispute, 'status'>): boolean => RANKS[status] === RANKS.won;

/** The money is gone for good, for one of three causes. */
const LOST: ReadonlySet<DisputeStatus> = new Set(['lost', 'accepted', 'expired']);
export const isLost = (status: DisputeStatus): boolean => LOST.has(status);

/** The PSP waits for the merchant's answer, or did so until an inquiry was answered. */
const AWAITING: ReadonlySet<DisputeStatus> = new Set(['warning', 'needs_response']);
export const AWAITING_STATUSES: readonly DisputeStatus[] = [...AWAITING];
/** An inquiry stays one when it is answered. A dispute that needs a response again was opened again. */
export const awaitsAnswer = ({ status, answer }: Pick<Dispute, 'status' | 'answer'>): boolean =>
  AWAITING.has(status) && !(status === 'warning' && answer !== null);

/** The PSP withholds the money, or has taken it. */
const withholdsMoney = ({ status }: Pick<Dispute, 'status'>): boolean => status !== 'warning' && status !== 'won';

/** In its last day a dispute is announced as due. */
export const RESPONSE_DUE_BEFORE = DAY;
/** The timer looks an open dispute up so often, also where callbacks report it: a lost one must not cost a deadline. */
const LOOK_UP_INTERVAL = 12 * HOUR;
/** The same where no callback reports it. */
const POLL_INTERVAL = HOUR;
const UNCHANGED_SHARE = 8;
const MAX_LOOK_UP_INTERVAL = DAY;
/** An answer whose worker died, or that got no response, is looked up after this time, and then again and again. */
const ANSWER_LOOK_UP_INTERVAL = MINUTE;
/** Without a trace of it at the PSP, an answer counts as not given after this time. */
export const MAX_ANSWER_AGE = HOUR;
/** Without a look-up, an unanswered dispute counts as expired so long after its deadline. */
export const EXPIRY_GRACE = 3 * DAY;

/** When the announcement of the deadline is due, if it is still to come. */
export function responseDueAt(dispute: Dispute): Date | undefined {
  const { respond_by, warned_for } = dispute;
  const isToCome = awaitsAnswer(dispute) && respond_by !== null && warned_for !== respond_by;
  return isToCome ? plus(respond_by, -RESPONSE_DUE_BEFORE) : undefined;
}

/** A bank may take months to decide: the longer nothing changes, the less often it is asked for. */
function lookUpInterval({ polled, updated_at }: Dispute, asked: string): number {
  const unchanged = (Date.parse(asked) - Date.parse(updated_at)) / UNCHANGED_SHARE;
  return Math.max(polled ? POLL_INTERVAL : LOOK_UP_INTERVAL, Math.min(Math.round(unchanged), MAX_LOOK_UP_INTERVAL));
}

/** An inquiry that its bank has forgotten. Banks take disputes for about four months after a payment. */
const MAX_INQUIRY_TIME = 180 * DAY;

const isForgotten = ({ status, updated_at }: Dispute, asked: string): boolean =>
  status === 'warning' && Date.parse(asked) - Date.parse(updated_at) > MAX_INQUIRY_TIME;

/** When the timer has to process it, if ever. */
export function disputeDueAt(dispute: Dispute): string | undefined {
  const { outbox, sending, asked_at, created_at } = dispute;
  const [waiting] = outbox;
  const asked = asked_at ?? created_at;
  const times = [
    waiting && plus(waiting.at, RELAY_GRACE),
    isClosed(dispute) || isForgotten(dispute, asked) ? undefined : plus(asked, lookUpInterval(dispute, asked)),
    sending && plus([asked, sending.at].sort()[1] ?? asked, ANSWER_LOOK_UP_INTERVAL),
    responseDueAt(dispute),
  ];
  return times.flatMap((time) => time?.toISOString() ?? []).sort()[0];
}

/** What the PSP takes through its API. */
type AnswerFacts = { readonly canAccept: boolean; readonly evidenceFields: readonly string[] };

/** What can be answered now, and with which fields of evidence. */
export type AnswerOptions = { readonly accept: boolean; readonly evidence_fields: readonly string[] };

export function answerOptions(dispute: Dispute, facts: AnswerFacts | undefined, at: Date): AnswerOptions {
  const isOpen = awaitsAnswer(dispute) && !isOverdue(dispute, at) && !dispute.sending;
  return isOpen && facts
    ? { accept: facts.canAccept, evidence_fields: facts.evidenceFields }
    : { accept: false, evidence_fields: [] };
}

const isOverdue = ({ respond_by }: Dispute, at: Date): boolean => respond_by !== null && respond_by <= at.toISOString();

/** Throws if the dispute cannot be answered in this way now. */
export function assertAnswerable(
  dispute: Dispute,
  { type, fields }: Pick<DisputeAnswer, 'type' | 'fields'>,
  facts: AnswerFacts | undefined,
  at: Date,
): void {
  const { id, provider, status, respond_by, sending } = dispute;
  if (sending)
    throw new AppError('outcome_unknown', 'Another answer to this dispute is on its way. Try again in a minute.', {
      retryAfter: 60,
    });
  if (!awaitsAnswer(dispute))
    throw new AppError(
      'dispute_not_answerable',
      status === 'warning'
        ? `The inquiry ${id} has its answer already.`
        : `The dispute ${id} is ${status}, so it can't be answered any more.`,
    );
  if (isOverdue(dispute, at))
    throw new AppError('dispute_not_answerable', `The dispute ${id} could be answered until ${respond_by}.`);
  const taken: readonly string[] = facts?.evidenceFields ?? [];
  if (type === 'accept' ? !facts?.canAccept : taken.length === 0)
    throw new AppError(
      'dispute_answer_unsupported',
      `${provider} takes ${type === 'accept' ? 'no acceptance' : 'no evidence'} through its API. ` +
        `Answer the dispute ${dispute.psp_reference} in the dashboard of ${provider}.`,
    );
  const unknown = fields.filter((field) => !taken.includes(field));
  if (unknown.length > 0)
    throw new AppError(
      'invalid_request',
      `${provider} does not take ${unknown.join(', ')} as evidence. It takes ${taken.join(', ')}.`,
      { details: { evidence_fields: taken } },
    );
}

/**
 * Records on the payment what this dispute withholds. Undefined if that is known already. A dispute of another charge,
 * such as a second one that was refunded, withholds nothing of the payment's amount. An automatic refund that waited
 * for the end of the dispute is made now.
 */
export function recordDisputed(payment: Payment, dispute: Dispute, at: Date): Payment | undefined {
  const entry = disputedMoney(payment, dispute);
  const known = payment.disputes ?? [];
  const before = known.find(({ id }) => id === dispute.id);
  if (before && ENTRY_FIELDS.every((field) => before[field] === entry[field])) return undefined;
  const disputes = [...known.filter(({ id }) => id !== dispute.id), entry];
  const sum = disputes.reduce((total, each) => total + each.amount, 0);
  const amount_disputed = Math.min(sum, takenAmount(payment));
  const recorded = { ...payment, updated_at: at.toISOString(), disputes, amount_disputed };
  return afterDispute(recorded, { ...entry, isWon: dispute.status === 'won' }, at);
}

const ENTRY_FIELDS = ['amount', 'attempt_id', 'claimed', 'currency', 'open'] as const;

function disputedMoney(payment: Payment, dispute: Dispute): DisputedMoney {
  const attempt = chargeOf(payment, dispute.charge_reference);
  const claimed = withholdsMoney(dispute) ? dispute.amount : 0;
  return {
    id: dispute.id,
    amount: withheldAmount(payment, dispute),
    ...(attempt && { attempt_id: attempt.id, claimed }),
    ...(attempt && dispute.currency !== payment.currency && { currency: dispute.currency }),
    ...(attempt && withholdsMoney(dispute) && !isClosed(dispute) && { open: true }),
  };
}

/** Of a payment that is captured later, what was captured, once we know of it. */
const takenAmount = (payment: Payment): number => paidAmount(payment) || payment.amount;

/** In another currency than the payment's, all of it counts as withheld. */
function withheldAmount(payment: Payment, dispute: Dispute): number {
  const { charge_reference, amount, currency } = dispute;
  if (!withholdsMoney(dispute)) return 0;
  const disputed = chargeOf(payment, charge_reference);
  const charged = chargedAttempt(payment);
  if (disputed && charged && disputed.id !== charged.id) return 0;
  return currency === payment.currency ? Math.min(amount, takenAmount(payment)) : takenAmount(payment);
}
