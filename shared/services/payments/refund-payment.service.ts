import { assertCanRefund } from '#shared/domain/payments/capability.rules.ts';
import { capturesOf } from '#shared/domain/payments/capture.rules.ts';
import { holdDisputedRefund } from '#shared/domain/payments/disputed-refunds.machine.ts';
import type { Attempt, Metadata, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import {
  leaseSending,
  type RefundVerdict,
  reserveRefund,
  settleRefund,
} from '#shared/domain/payments/refund.machine.ts';
import { chargedAttempt, waitsForDispute } from '#shared/domain/payments/refund.rules.ts';
import { credentialsOf } from '#shared/domain/routing/connection-credentials.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { CLAIM_LEASE_MS, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  type Deadline,
  PspOutcomeUnknown,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { pspMetadata } from '#shared/services/payments/charge-order.service.ts';
import { classifyRefund } from '#shared/services/payments/classify-outcome.service.ts';
import { openSession, referenceOf } from '#shared/services/payments/psp-session.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/query-attempt.service.ts';

type RefundPaymentInput = {
  readonly id: string;
  readonly amount?: number;
  readonly reason?: string;
  readonly metadata?: Metadata;
  /** Although a dispute withholds money of the payment. */
  readonly force?: boolean;
};

/** Reserves the refund on the payment before money moves, so that a retry or the timer finds it after a crash. */
export async function refundPayment(
  input: RefundPaymentInput,
  caller: Caller,
  deps: SendRefundDeps & Pick<Deps, 'pspDeadline'>,
): Promise<Payment> {
  const payment = orNotFound(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  assertOutcomeKnown(payment);
  const id = operationId(caller.operation, 'refund');
  await assertRefundPossible(payment, { ...input, id }, deps);
  let isReserved = false;
  const reserved = await deps.payments.change(payment, (p) => {
    isReserved = p.refunds.every((r) => r.id !== id);
    return isReserved ? reserve(p, { ...input, id }, deps) : undefined;
  });
  return sendRefund(reserved, id, deps.pspDeadline(), deps, isReserved);
}

/** The same write takes the lease for sending, so that no other worker sends the refund meanwhile. */
function reserve(payment: Payment, input: RefundPaymentInput, deps: Pick<Deps, 'psp' | 'clock'>): Payment {
  const at = deps.clock.now();
  const charged = chargedAttempt(payment);
  const leaseUntil = charged && leaseEnd(charged, at, deps);
  const withRefund = reserveRefund(payment, { ...input, ...(leaseUntil && { leaseUntil }) }, at);
  assertAmountSupported(withRefund, input.id, deps);
  return withRefund;
}

/**
 * A deleted connection keeps its credentials for a while, for refunds; after that no refund is possible. A refund that
 * the connection's capabilities do not allow is refused, unless it is already reserved.
 */
async function assertRefundPossible(
  payment: Payment,
  { id, amount }: RefundPaymentInput,
  { connections }: Pick<Deps, 'connections'>,
): Promise<void> {
  const charged = payment.status === 'succeeded' ? chargedAttempt(payment) : undefined;
  if (!charged) return;
  const connection = await connections.get(payment.org_id, charged.connection_id);
  const { original, current } = connection ? credentialsOf(connection, charged) : {};
  if (original === undefined && current === undefined)
    throw new AppError(
      'payment_not_refundable',
      'The connection of this payment was deleted, and its credentials purged. Refund it at the provider.',
    );
  if (connection && payment.refunds.every((refund) => refund.id !== id)) assertCanRefund(connection, payment, amount);
}

/**
 * An amount that the provider can't express exactly, or that is below its minimum, is refused before anything is
 * stored; nothing is rounded.
 */
function assertAmountSupported({ refunds, attempts, currency }: Payment, id: string, { psp }: Pick<Deps, 'psp'>): void {
  const refund = refunds.find((r) => r.id === id);
  const provider = attempts.find((a) => a.id === refund?.attempt_id)?.provider;
  if (!refund || !provider || psp.adapter(provider)?.supportsAmount(refund.amount, currency, false) !== false) return;
  throw new AppError(
    'amount_not_supported',
    `${provider} can't refund exactly ${refund.amount} minor units of ${currency}. Refund another amount.`,
  );
}

type SendRefundDeps = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

/** A PSP's list of refunds may lag behind. After this time it contains every refund that an earlier worker sent. */
const REFUND_LIST_LAG = 10 * MINUTE;

/**
 * The lease outlasts every function run. Where a PSP has no idempotency keys for refunds, it also outlasts the lag of
 * its list, which alone prevents a second refund.
 */
const leaseEnd = ({ provider }: Attempt, at: Date, { psp }: Pick<Deps, 'psp'>): Date =>
  plus(at, psp.adapter(provider)?.nonIdempotentRefunds ? REFUND_LIST_LAG : CLAIM_LEASE_MS);

/**
 * Brings a reserved refund to its outcome. While the PSP keeps the idempotency key a repeat is safe, so the first send,
 * a retry after a crash and a poll are the same call. Only one worker sends at a time; `isLeased`: this worker has the
 * lease already.
 */
export async function sendRefund(
  before: Payment,
  refundId: string,
  deadline: Deadline,
  deps: SendRefundDeps,
  isLeased = false,
): Promise<Payment> {
  const payment = isLeased ? before : await leaseToSend(before, refundId, deps);
  const refund = payment?.refunds.find((r) => r.id === refundId);
  if (!payment || !refund || refund.phase === 'final') return payment ?? before;
  const isRepeat = refund.phase !== 'calling';
  const verdict = await classifyRefund(() => refundOutcome(payment, refund, deadline, deps), deps.log, isRepeat);
  const settled = await deps.payments.change(payment, (p) =>
    settleRefund(p, refundId, verdict satisfies RefundVerdict, deps.clock.now()),
  );
  alarmIfFailed(settled, refundId, deps);
  return settled;
}

/** Undefined if another worker is sending the refund. */
async function leaseToSend(payment: Payment, refundId: string, deps: SendRefundDeps): Promise<Payment | undefined> {
  const refund = payment.refunds.find((r) => r.id === refundId);
  const attempt = payment.attempts.find((a) => a.id === refund?.attempt_id);
  const mustBeSent = refund && refund.phase !== 'final' && refund.psp_reference === null;
  if (!mustBeSent || !attempt) return payment;
  const at = deps.clock.now();
  let isMine = false;
  const leased = await deps.payments.change(payment, (p) => {
    const next = holdDisputedRefund(p, refundId, at) ?? leaseSending(p, refundId, leaseEnd(attempt, at, deps), at);
    isMine = next !== undefined;
    return next;
  });
  return isMine ? leased : undefined;
}

/** An automatic refund has no caller to tell: if it fails, only this log line, which raises an alarm, reports it. */
export function alarmIfFailed(payment: Payment, refundId: string, { log }: Pick<Deps, 'log'>): void {
  const failed = payment.refunds.find((r) => r.id === refundId && r.automatic && r.status === 'failed');
  if (failed && !waitsForDispute(payment, failed))
    log.error('automatic_refund_failed', { payment_id: payment.id, org_id: payment.org_id, refund_id: refundId });
}

/**
 * Sends automatic refunds (of a second charge, or of money that came after a cancel) that were never sent. The timer
 * repeats failed sends.
 */
export async function sendAutomaticRefunds(
  payment: Payment,
  deadline: Deadline,
  deps: SendRefundDeps,
): Promise<Payment> {
  const released = payment.capture ? await releaseUnwanted(payment, deadline, deps) : payment;
  let current = released;
  for (const refund of released.refunds)
    if (refund.automatic && isNeverSent(refund)) current = await sendRefund(current, refund.id, deadline, deps);
  return current;
}

/** Loaded when it is needed: what charges starts faster without it, and few payments are captured later. */
async function releaseUnwanted(payment: Payment, deadline: Deadline, deps: SendRefundDeps): Promise<Payment> {
  const authorization = await import('#shared/services/payments/authorization.service.ts');
  return authorization.releaseUnwanted(payment, deadline, deps);
}

/** Phase `calling`: its worker died, or it was stored by an earlier release. */
const isNeverSent = ({ phase, asked_at }: Refund): boolean =>
  phase === 'calling' || (phase === 'unsent' && asked_at === undefined);

async function refundOutcome(
  payment: Payment,
  refund: Refund,
  deadline: Deadline,
  deps: SendRefundDeps,
): Promise<RefundOutcome> {
  const attempt = payment.attempts.find((a) => a.id === refund.attempt_id);
  if (!attempt) throw new PspRefused('not_found', 'The charge of this refund is not known.');
  const session = await openSession(payment, attempt, deadline, deps);
  if (refund.psp_reference !== null)
    return session.fetchRefund({
      reference: refund.psp_reference,
      paymentId: payment.id,
      charge: attempt.psp_reference,
    });
  if (!isKeyValid(refund, session, deps.clock.now()))
    throw new PspOutcomeUnknown('The idempotency key of this refund has expired at the provider.');
  return session.refund(refundOrder(payment, refund, referenceOf(attempt), attempt.connection_id));
}

const refundOrder = (payment: Payment, refund: Refund, reference: string, connectionId: string): RefundOrder => ({
  paymentId: payment.id,
  refundId: refund.id,
  reference,
  amount: refund.amount,
  currency: refund.currency ?? payment.currency,
  metadata: pspMetadata(payment, connectionId),
  sentAt: refund.sent_at ?? refund.created_at,
  isRepeat: refund.phase !== 'calling',
  isOfEarlierRelease: refund.sent_at === undefined,
  ...(payment.capture && { captures: capturesToRefund(payment, refund) }),
});

const capturesToRefund = (payment: Payment, { attempt_id }: Refund): NonNullable<RefundOrder['captures']> =>
  capturesOf(payment).flatMap(({ status, psp_reference: reference, amount, ...capture }) =>
    status === 'succeeded' && reference !== null && capture.attempt_id === attempt_id ? [{ reference, amount }] : [],
  );

function isKeyValid(refund: Refund, { adapter }: PspSession, at: Date): boolean {
  const { keyLifetimeMs: keyLife, refundKeyLifetimeMs: refundKeyLife = keyLife } = adapter.unknownOutcome;
  return plus(refund.sent_at ?? refund.created_at, refundKeyLife / 2) > at;
}
