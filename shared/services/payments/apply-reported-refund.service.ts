import { isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, Refund, SendPhase } from '#shared/domain/payments/payment.model.ts';
import { recordRefundsRead } from '#shared/domain/payments/reconciliation.rules.ts';
import { markUnreadRefunds } from '#shared/domain/payments/refund.rules.ts';
import {
  findReported,
  NOT_SUCCEEDED,
  type ReportedRefund,
  type ReportResult,
  recordReported,
  UNSENT,
  UNSENT_OR_UNKNOWN,
} from '#shared/domain/payments/reported-refund.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspNotSent, PspOutcomeUnknown, type PspRefund, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { chargeRef, openSession } from '#shared/services/payments/psp-session.service.ts';
import { alarmIfFailed, sendRefund } from '#shared/services/payments/refund-payment.service.ts';

export type ReportedRefundDeps = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

/** Where a report comes from. `charge` is the reference of the refunded charge, if the PSP names it. */
export type RefundSource = {
  readonly connectionId: string;
  readonly session: PspSession;
  readonly deadline: Deadline;
  readonly charge: string | null;
};

/** The PSP could not be queried about an event. With this response it sends the event again. */
export const lookUpFailed = (cause?: unknown): AppError =>
  new AppError('provider_error', 'The provider could not be queried about this event. Send it again later.', { cause });

/** For `catch`. */
export function throwLookUpFailed(error: unknown): never {
  throw lookUpFailed(error);
}

/**
 * Applies a refund that the PSP reports: one of ours, or one that was made at the PSP. If it cannot be applied now, the
 * payment is marked to read its refunds later, and the PSP must send the report again, so that it is never lost
 * (docs/adr/0030).
 */
export async function applyReportedRefund(
  payment: Payment,
  refund: PspRefund,
  source: RefundSource,
  deps: ReportedRefundDeps,
): Promise<Payment> {
  const { reference } = refund;
  if (reference === null) return payment;
  const report = reportOf(refund, reference, source);
  const first = await applyReport(payment, report, UNSENT, deps);
  if (first.recorded.kind === 'recorded') return first.payment;
  // The payment may have changed during the look-up.
  const reloaded = await reload(payment, deps);
  const again = await applyReport(reloaded, report, UNSENT, deps);
  if (again.recorded.kind === 'recorded') return again.payment;
  if (again.recorded.kind !== 'unpaid') {
    const polled = await pollOpenRefunds(again.payment, again.recorded.kind, report, source, deps);
    const displaces = report.verdict.kind === 'succeeded' ? NOT_SUCCEEDED : UNSENT_OR_UNKNOWN;
    const last = await applyReport(polled, report, displaces, deps);
    if (last.recorded.kind === 'recorded') return last.payment;
  }
  throw await markRefundsUnread(again.payment, report, deps);
}

const reload = async (payment: Payment, { payments }: ReportedRefundDeps): Promise<Payment> =>
  (await payments.byId(payment.id)) ?? payment;

type Report = Omit<ReportedRefund, 'newId'>;

const reportOf = (
  refund: PspRefund,
  reference: string,
  { charge, connectionId }: Pick<RefundSource, 'charge' | 'connectionId'>,
): Report => ({
  verdict: refund,
  reference,
  amount: refund.amount,
  currency: refund.currency,
  ourId: refund.ourId,
  charge,
  connection_id: connectionId,
});

async function applyReport(
  payment: Payment,
  report: Report,
  displaces: ReadonlySet<SendPhase>,
  deps: ReportedRefundDeps,
): Promise<{ readonly payment: Payment; readonly recorded: ReportResult }> {
  const at = deps.clock.now();
  const hadFailed = findReported(payment, report)?.status === 'failed';
  let recorded: ReportResult = { kind: 'exceeds_refundable' };
  const settled = await deps.payments.change(payment, (p) => {
    const newId = derivedId('refund', at, p.id, report.reference);
    recorded = recordReported(p, { ...report, newId }, displaces, at);
    return recorded.kind === 'recorded' ? recorded.payment : undefined;
  });
  const applied = findReported(settled, report);
  if (applied && !hadFailed) alarmIfFailed(settled, applied.id, deps);
  return { payment: settled, recorded };
}

/** Each needs a call to the PSP, all within the time of one callback. */
const MAX_POLLED_REFUNDS = 5;

/**
 * Polls our own open refunds of the charge: one of them may be the reported one, or may have failed by now. It reads
 * the list of the PSP. Where there is no list, or it shows no ids, it sends the refunds again under their idempotency
 * keys.
 */
async function pollOpenRefunds(
  payment: Payment,
  why: 'ambiguous' | 'exceeds_refundable',
  { amount, reference }: Report,
  source: RefundSource,
  deps: ReportedRefundDeps,
): Promise<Payment> {
  const attempt = payment.attempts.find((a) => a.psp_reference !== null && a.psp_reference === source.charge);
  const hasList = source.session.adapter.hasRefundList === true && attempt !== undefined;
  let current = hasList ? await settleListed(payment, attempt, source, deps) : payment;
  if (hasList && why === 'exceeds_refundable') return current;
  const open = current.refunds.filter(
    (r) => r.status === 'pending' && r.psp_reference === null && (why === 'exceeds_refundable' || r.amount === amount),
  );
  for (const { id } of open.slice(0, MAX_POLLED_REFUNDS)) {
    if (current.refunds.some((r) => r.psp_reference === reference)) break;
    current = await sendRefund(current, id, source.deadline, deps);
  }
  return current;
}

/** Applies the list of the PSP to the refunds that we know. */
async function settleListed(
  payment: Payment,
  attempt: Attempt,
  { session, connectionId }: RefundSource,
  deps: ReportedRefundDeps,
): Promise<Payment> {
  let current = payment;
  for (const refund of await listRefunds(payment, attempt, session)) {
    const { reference } = refund;
    if (reference === null || !findReported(current, { ...refund, reference })) continue;
    const report = reportOf(refund, reference, { charge: attempt.psp_reference, connectionId });
    current = (await applyReport(current, report, UNSENT, deps)).payment;
  }
  return current;
}

const listRefunds = (payment: Payment, attempt: Attempt, session: PspSession): Promise<readonly PspRefund[]> =>
  session.listRefunds({ ...chargeRef(payment, attempt), mayCapture: false }).catch(throwLookUpFailed);

/**
 * Marks the charge, so that its refunds are read later. If the report names no charge that we know, all open charges
 * are marked.
 */
async function markRefundsUnread(payment: Payment, { charge }: Report, deps: ReportedRefundDeps): Promise<AppError> {
  await deps.payments.change(payment, (p) => {
    const named = p.attempts.filter((a) => a.psp_reference !== null && a.psp_reference === charge);
    const unread = (named.length > 0 ? named : p.attempts.filter(isOpen)).filter((a) => !a.unread_refunds);
    return unread.length === 0
      ? undefined
      : unread.reduce((q, { id }) => markUnreadRefunds(q, id, deps.clock.now()), p);
  });
  return new AppError('provider_error', 'This refund cannot be recorded yet. Send it again later.');
}

/** Applies all refunds of a list. A refund that cannot be applied now does not stop the others. */
export async function applyRefundList(
  payment: Payment,
  refunds: readonly PspRefund[],
  source: RefundSource,
  deps: ReportedRefundDeps,
): Promise<Payment> {
  let current = payment;
  let failed: unknown;
  for (const refund of refunds)
    try {
      current = await applyReportedRefund(current, refund, source, deps);
    } catch (error) {
      if (!isLookUpFailed(error)) throw error;
      failed = error;
      current = await reload(current, deps);
    }
  if (failed !== undefined) throw failed;
  return current;
}

const isLookUpFailed = (error: unknown): boolean =>
  error instanceof PspNotSent ||
  error instanceof PspOutcomeUnknown ||
  error instanceof PspRefused ||
  (error instanceof AppError && error.code === 'provider_error');

/**
 * Finds out whether the PSP has this refund. If the PSP lists its refunds, nothing is sent; otherwise the refund is
 * sent again under its idempotency key.
 */
export async function lookUpRefund(
  payment: Payment,
  refund: Refund,
  deadline: Deadline,
  deps: ReportedRefundDeps,
): Promise<Payment> {
  const attempt = payment.attempts.find(({ id }) => id === refund.attempt_id);
  const hasList = attempt && deps.psp.adapter(attempt.provider)?.hasRefundList === true;
  if (!hasList || refund.psp_reference !== null) return sendRefund(payment, refund.id, deadline, deps);
  try {
    const session = await openSession(payment, attempt, deadline, deps);
    const source = { connectionId: attempt.connection_id, session, deadline, charge: attempt.psp_reference };
    return await settleListed(payment, attempt, source, deps);
  } catch (error) {
    if (!isLookUpFailed(error)) throw error;
    return payment;
  }
}

/** Reads the refunds of a charge at the PSP, for the timer. If that fails, the timer tries again later. */
export async function readRefunds(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: ReportedRefundDeps,
): Promise<Payment> {
  let wereRead = true;
  try {
    const session = await openSession(payment, attempt, deadline, deps);
    const source = { connectionId: attempt.connection_id, session, deadline, charge: attempt.psp_reference };
    await applyRefundList(payment, await listRefunds(payment, attempt, session), source, deps);
  } catch (error) {
    if (!isLookUpFailed(error)) throw error;
    deps.log.warn('refunds_not_read', { payment_id: payment.id, org_id: payment.org_id, attempt_id: attempt.id });
    wereRead = false;
  }
  const reloaded = await reload(payment, deps);
  return deps.payments.change(reloaded, (p) => recordRefundsRead(p, attempt.id, wereRead, deps.clock.now()));
}
