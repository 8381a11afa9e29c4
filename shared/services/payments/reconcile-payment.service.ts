import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { clearEnding, expiredVerdict, recordEnding } from '#shared/domain/payments/attempt-ending.machine.ts';
import { announceExpiry, markReleased } from '#shared/domain/payments/authorization.machine.ts';
import { giveUpUnsentCapture, recordCapturePoll } from '#shared/domain/payments/capture.machine.ts';
import { currentAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import {
  type DueTask,
  dueTasksOf,
  handOverToReview,
  isReleaseOver,
  postponeExpiry,
  recordRefundPoll,
} from '#shared/domain/payments/reconciliation.rules.ts';
import { giveUpUnsent } from '#shared/domain/payments/refund.machine.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { DAY, MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { readRefunds } from '#shared/services/payments/apply-reported-refund.service.ts';
import { endAuthorization, releaseAuthorization } from '#shared/services/payments/authorization.service.ts';
import { sendCapture } from '#shared/services/payments/capture-payment.service.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';
import { type PollDeps, pollAttempt } from '#shared/services/payments/poll-payment.service.ts';
import { endAtPsp } from '#shared/services/payments/psp-session.service.ts';
import { alarmIfFailed, sendAutomaticRefunds, sendRefund } from '#shared/services/payments/refund-payment.service.ts';
import { type SettleDeps, settlePayment } from '#shared/services/payments/settle-payment.service.ts';
import { relayPayment } from '#shared/services/relay/relay-events.service.ts';

export type ReconcileDeps = PollDeps & Parameters<typeof relayPayment>[1];

/** Runs the due tasks of this payment. If its undelivered events fill the record, they are relayed first. */
export async function reconcilePayment(payment: Payment, deps: ReconcileDeps): Promise<Payment> {
  try {
    return await runDueTasks(payment, deps);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'events_waiting') throw error;
    return runDueTasks(await relayPayment((await deps.payments.byId(payment.id)) ?? payment, deps), deps);
  }
}

/** Polls outcomes, expires payment pages, relays events, and finally hands over to a person for review. */
async function runDueTasks(payment: Payment, deps: ReconcileDeps): Promise<Payment> {
  const at = deps.clock.now();
  const deadline = deps.pspDeadline();
  let current = payment;
  for (const task of dueTasksOf(payment))
    if (task.at <= at.getTime()) current = await runTask(task, current, deadline, deps);
  return moveDueEntry(await sendAutomaticRefunds(current, deadline, deps), at, deps);
}

/**
 * Moves a stale entry of the due index to the payment's next due time. Otherwise every sweep would find it before the
 * entries that are really due.
 */
function moveDueEntry(payment: Payment, at: Date, deps: Pick<Deps, 'payments'>): Promise<Payment> {
  const isPast = ({ due_at }: Payment) => due_at !== undefined && due_at <= at.toISOString();
  return isPast(payment)
    ? deps.payments.change(payment, (p) => (isPast(p) ? { ...p } : undefined))
    : Promise.resolve(payment);
}

async function runTask(task: DueTask, payment: Payment, deadline: Deadline, deps: ReconcileDeps): Promise<Payment> {
  switch (task.kind) {
    case 'poll_attempt':
      return pollAttempt(payment, task.attempt, 'timer', deadline, deps);
    case 'expire':
      return expireAttempt(payment, task.attempt, deadline, deps);
    case 'poll_refund': {
      const polled = await deps.payments.change(payment, (p) => recordRefundPoll(p, task.refund.id, deps.clock.now()));
      return sendRefund(polled, task.refund.id, deadline, deps);
    }
    case 'read_refunds':
      return readRefunds(payment, task.attempt, deadline, deps);
    case 'give_up':
      return giveUp(payment, {}, deps);
    case 'give_up_refund':
      return task.refund.phase === 'unsent'
        ? giveUpUnsentRefund(payment, task.refund.id, deps)
        : giveUp(payment, { refund_id: task.refund.id }, deps);
    case 'poll_capture':
    case 'give_up_capture':
    case 'release':
    case 'announce_expiry':
    case 'end_authorization':
      return runAuthorizationTask(task, payment, deadline, deps);
    case 'relay':
      deps.log.warn('relayed_late', { resource_id: payment.id });
      return relayPayment(payment, deps);
  }
}

type AuthorizationTask = Extract<
  DueTask,
  { kind: 'poll_capture' | 'give_up_capture' | 'release' | 'announce_expiry' | 'end_authorization' }
>;

async function runAuthorizationTask(
  task: AuthorizationTask,
  payment: Payment,
  deadline: Deadline,
  deps: ReconcileDeps,
): Promise<Payment> {
  const at = deps.clock.now();
  switch (task.kind) {
    case 'poll_capture': {
      const polled = await deps.payments.change(payment, (p) => recordCapturePoll(p, task.capture.id, at));
      return sendCapture(polled, task.capture.id, deadline, deps);
    }
    case 'give_up_capture':
      return task.capture.phase === 'unsent'
        ? deps.payments.change(payment, (p) => giveUpUnsentCapture(p, task.capture.id, at))
        : giveUp(payment, { capture_id: task.capture.id }, deps);
    case 'release':
      return releaseOrGiveUp(payment, task.attempt, deadline, deps);
    case 'announce_expiry':
      return deps.payments.change(payment, (p) => announceExpiry(p, at));
    case 'end_authorization':
      return endAuthorization(payment, task.attempt, deadline, deps);
  }
}

/** The PSP never said that it has released the authorization. By now it has lapsed, whatever the PSP says. */
async function releaseOrGiveUp(
  payment: Payment,
  { id, release }: Attempt,
  deadline: Deadline,
  deps: ReconcileDeps,
): Promise<Payment> {
  const at = deps.clock.now();
  if (!release || !isReleaseOver(release, at)) return (await releaseAuthorization(payment, id, deadline, deps)).payment;
  deps.log.error('authorization_not_released', { payment_id: payment.id, org_id: payment.org_id, attempt_id: id });
  return deps.payments.change(payment, (p) => markReleased(p, id, 'expire', at));
}

/** There is no verdict: a person decides from now on. */
function giveUp(
  payment: Payment,
  about: Parameters<typeof handOverToReview>[1],
  deps: ReconcileDeps,
): Promise<Payment> {
  deps.log.error('payment_needs_review', { payment_id: payment.id, org_id: payment.org_id, ...about });
  return deps.payments.change(payment, (p) => handOverToReview(p, about, deps.clock.now()));
}

async function giveUpUnsentRefund(
  payment: Payment,
  refundId: string,
  deps: Pick<Deps, 'payments' | 'clock' | 'log'>,
): Promise<Payment> {
  const failed = await deps.payments.change(payment, (p) => giveUpUnsent(p, refundId, deps.clock.now()));
  alarmIfFailed(failed, refundId, deps);
  return failed;
}

type ClosePaymentDeps = SettleDeps & Pick<Deps, 'psp' | 'log' | 'connections'>;

const EXPIRY_RETRY_DELAY = 10 * MINUTE;

/** How long the expiry of a charge is tried. Without a verdict by then, none will come. */
const MAX_EXPIRY_TIME = 8 * DAY;

/** Ends an unpaid attempt as if it had expired, because the customer wants to pay another way. */
export async function endUnpaidAttempt(
  payment: Payment,
  deps: ClosePaymentDeps & Pick<Deps, 'pspDeadline'>,
): Promise<Payment> {
  const attempt = currentAttempt(payment);
  if (attempt?.status !== 'requires_action') return payment;
  const deadline = deps.pspDeadline();
  return sendAutomaticRefunds(
    await expireAttempt(payment, attempt, deadline, deps, 'customer_canceled'),
    deadline,
    deps,
  );
}

/**
 * Expires an attempt. Its page is ended at the PSP first, so that no money comes after the attempt has failed. If the
 * PSP cannot end the page, money that still comes is a late success.
 */
async function expireAttempt(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: ClosePaymentDeps,
  reason: 'expired' | 'customer_canceled' = 'expired',
): Promise<Payment> {
  const marked = await deps.payments.change(payment, (p) => recordEnding(p, attempt.id, 'expire'));
  const verdict = await classifyLookup(() => endAtPsp(payment, attempt, deadline, deps), deps.log);
  const at = deps.clock.now();
  const isLastTry = plus(attempt.started_at, MAX_EXPIRY_TIME) <= at;
  const ended =
    isOver(verdict) || (isLastTry && verdict.kind === 'unknown')
      ? expiredVerdict(attempt.psp_reference, reason)
      : verdict;
  if (ended.kind === 'failed' || ended.kind === 'succeeded' || ended.kind === 'authorized')
    return settlePayment(marked, (p) => settle(p, attempt.id, ended, at), deps, ended.saved);
  // The customer has acted: from now on the charge is polled as any other, and is no longer to be ended.
  if (ended.kind === 'processing' && (isLastTry || ended.reference !== attempt.psp_reference))
    return deps.payments.change(marked, (p) => {
      const known = settle(p, attempt.id, ended, at);
      return clearEnding(known ?? p, attempt.id) ?? known;
    });
  return deps.payments.change(marked, (p) => postponeExpiry(p, attempt.id, plus(at, EXPIRY_RETRY_DELAY)));
}

const isOver = ({ kind }: Verdict): boolean =>
  kind === 'canceled' || kind === 'failed' || kind === 'accepted' || kind === 'requires_action' || kind === 'waiting';
