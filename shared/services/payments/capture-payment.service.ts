import { type CaptureVerdict, leaseCapture, settleCapture } from '#shared/domain/payments/capture.machine.ts';
import { authorizedAttempt, capturesOf } from '#shared/domain/payments/capture.rules.ts';
import { type CaptureAbility, reserveCapture } from '#shared/domain/payments/capture-reservation.machine.ts';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Attempt, Capture, Payment } from '#shared/domain/payments/payment.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { credentialsOf } from '#shared/domain/routing/connection-credentials.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { CLAIM_LEASE_MS, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { CaptureOrder, CaptureOutcome } from '#shared/ports/capture.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspNotSent, PspOutcomeUnknown, PspRefused, PspUnsupported } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { type AuthorizationDeps, lookUpAuthorization } from '#shared/services/payments/authorization.service.ts';
import { pspMetadata } from '#shared/services/payments/charge-order.service.ts';
import { openSession, referenceOf } from '#shared/services/payments/psp-session.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/query-attempt.service.ts';

type CapturePaymentInput = { readonly id: string; readonly amount?: number; readonly final?: boolean };

/** Reserves the capture on the payment before it is sent, so that a retry or the timer finds it after a crash. */
export async function capturePayment(
  input: CapturePaymentInput,
  caller: Caller,
  deps: AuthorizationDeps & Pick<Deps, 'pspDeadline'>,
): Promise<Payment> {
  const payment = orNotFound(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  assertOutcomeKnown(payment);
  const id = operationId(caller.operation, 'capture');
  const can = await abilityOf(payment, deps);
  let isReserved = false;
  const reserved = await deps.payments.change(payment, (p) => {
    isReserved = capturesOf(p).every((capture) => capture.id !== id);
    const at = deps.clock.now();
    const leaseUntil = plus(at, CLAIM_LEASE_MS);
    if (!isReserved) return undefined;
    const next = reserveCapture(p, { ...input, id, leaseUntil }, can, at);
    assertAmountSupported(next, id, deps);
    return next;
  });
  return sendCapture(reserved, id, deps.pspDeadline(), deps, isReserved);
}

/** What the connection can do now: a merchant may have switched it off. Refused if its credentials are gone. */
async function abilityOf(payment: Payment, { connections, psp }: AuthorizationDeps): Promise<CaptureAbility> {
  const attempt = authorizedAttempt(payment);
  if (!attempt) return { partial: true, multi: true };
  const connection = await connections.get(payment.org_id, attempt.connection_id);
  assertOpenable(connection, attempt);
  const facts = psp.adapter(attempt.provider)?.manualCapture;
  const capabilities = connection?.capabilities;
  return {
    partial: facts?.partial === true && capabilities?.partial_capture !== false,
    multi: facts?.multi === true && capabilities?.multi_capture !== false,
  };
}

function assertOpenable(connection: Connection | undefined, attempt: Attempt): void {
  const { original, current } = connection ? credentialsOf(connection, attempt) : {};
  if (original === undefined && current === undefined)
    throw new AppError(
      'payment_not_capturable',
      'The connection of this payment was deleted, and its credentials purged. Capture it at the provider.',
    );
}

/** An amount that the provider can't express exactly is refused before anything is stored; nothing is rounded. */
function assertAmountSupported(payment: Payment, id: string, { psp }: Pick<Deps, 'psp'>): void {
  const { provider, currency } = payment;
  const capture = capturesOf(payment).find((each) => each.id === id);
  if (!capture || !provider || psp.adapter(provider)?.supportsAmount(capture.amount, currency, false) !== false) return;
  throw new AppError(
    'amount_not_supported',
    `${provider} can't capture exactly ${capture.amount} minor units of ${currency}. Capture another amount.`,
  );
}

/**
 * Brings a reserved capture to its outcome. The first send, a retry after a crash and a poll are the same call under
 * the same idempotency key. Only one worker sends at a time; `isLeased`: this worker has the lease already.
 */
export async function sendCapture(
  before: Payment,
  captureId: string,
  deadline: Deadline,
  deps: AuthorizationDeps,
  isLeased = false,
): Promise<Payment> {
  const payment = isLeased ? before : await leaseToSend(before, captureId, deps);
  const capture = payment && capturesOf(payment).find(({ id }) => id === captureId);
  const attempt = payment?.attempts.find(({ id }) => id === capture?.attempt_id);
  if (!payment || !capture || !attempt || capture.status !== 'pending') return payment ?? before;
  if (capture.psp_reference !== null) return lookUpAuthorization(payment, attempt.id, deadline, deps);
  const isRepeat = capture.phase !== 'calling';
  const verdict = await classifyCapture(() => captureAtPsp(payment, attempt, capture, deadline, deps), isRepeat, deps);
  const settled = await deps.payments.change(payment, (p) => settleCapture(p, captureId, verdict, deps.clock.now()));
  // A PSP refuses what was captured or released there, and only its own record says which. The record also settles a
  // capture without an answer that is not sent again.
  const isUnclear = verdict.kind === 'failed' || (verdict.kind === 'unknown' && isRepeat);
  return isUnclear && settled.status === 'authorized'
    ? lookUpAuthorization(settled, attempt.id, deadline, deps)
    : settled;
}

/** Undefined if another worker is sending the capture, or it has its verdict. */
async function leaseToSend(payment: Payment, captureId: string, deps: AuthorizationDeps): Promise<Payment | undefined> {
  const at = deps.clock.now();
  let isLeased = false;
  const leased = await deps.payments.change(payment, (p) => {
    const withLease = leaseCapture(p, captureId, plus(at, CLAIM_LEASE_MS), at);
    isLeased = withLease !== undefined;
    return withLease;
  });
  return isLeased ? leased : undefined;
}

const REFUSES_CAPTURE: ReadonlySet<PspRefused['kind']> = new Set(['account', 'request', 'state']);

/**
 * Repeats bring the same result, so only the PSP's own verdict counts, as with refunds. That it refuses a repeat for the
 * state of the charge, or of the account, says nothing about the first send, which may have been taken.
 */
async function classifyCapture(
  call: () => Promise<CaptureOutcome>,
  isRepeat: boolean,
  { log }: Pick<Deps, 'log'>,
): Promise<CaptureVerdict> {
  try {
    return await call();
  } catch (error) {
    if (isRepeat && error instanceof PspRefused && error.kind !== 'request') return { kind: 'unknown' };
    if (error instanceof PspRefused && REFUSES_CAPTURE.has(error.kind))
      return { kind: 'failed', reference: null, decline: declineOf(refusalCodeOf(error), error.provider_code) };
    if (error instanceof PspNotSent || error instanceof PspRefused) {
      log.warn('psp_no_verdict', { reason: error.message });
      return { kind: 'not_sent' };
    }
    if (error instanceof PspOutcomeUnknown) log.warn('psp_no_verdict', { reason: error.message });
    else log.error('psp_call_broke', { error });
    return { kind: 'unknown' };
  }
}

const refusalCodeOf = (error: PspRefused) =>
  error instanceof PspUnsupported && error.failure === 'amount_not_supported' ? error.failure : 'capture_declined';

async function captureAtPsp(
  payment: Payment,
  attempt: Attempt,
  capture: Capture,
  deadline: Deadline,
  deps: AuthorizationDeps,
): Promise<CaptureOutcome> {
  const session = await openSession(payment, attempt, deadline, deps);
  if (!isKeyValid(capture, session, deps.clock.now()))
    throw new PspOutcomeUnknown('The idempotency key of this capture has expired at the provider.');
  return session.capture(captureOrder(payment, attempt, capture));
}

const captureOrder = (payment: Payment, attempt: Attempt, capture: Capture): CaptureOrder => ({
  paymentId: payment.id,
  captureId: capture.id,
  reference: referenceOf(attempt),
  amount: capture.amount,
  currency: payment.currency,
  authorized: payment.authorized_amount ?? payment.amount,
  final: capture.final,
  metadata: pspMetadata(payment, attempt.connection_id),
  sentAt: capture.sent_at ?? capture.created_at,
  isRepeat: capture.phase !== 'calling' || capture.asked_at !== undefined,
});

function isKeyValid(capture: Capture, { adapter }: PspSession, at: Date): boolean {
  const lifetime = adapter.manualCapture?.repeatableMs ?? adapter.unknownOutcome.keyLifetimeMs / 2;
  return plus(capture.sent_at ?? capture.created_at, lifetime) > at;
}
