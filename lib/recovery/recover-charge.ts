import { isLimited, openForLists, type ProviderList, repeated, type Waiting } from '#lib/recovery/provider-list.ts';
import type { FoundCharge } from '#lib/recovery/recovery-report.ts';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { adoptCharge, findReportedAttempt } from '#shared/domain/payments/callback.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { type LostCharge, recoveredPayment } from '#shared/domain/payments/recovered-payment.rules.ts';
import { markUnreadRefunds } from '#shared/domain/payments/refund.rules.ts';
import { applyAuthorization } from '#shared/domain/payments/reported-authorization.rules.ts';
import type { AttemptConnection, Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { PspAuthorization } from '#shared/ports/capture.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { PspNotSent, PspOutcomeUnknown, PspRefused, type PspTransaction } from '#shared/ports/psp.port.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';
import { MANUAL_CAPTURE } from '#shared/services/payments/plan-payment.service.ts';
import { type SettleDeps, settlePayment } from '#shared/services/payments/settle-payment.service.ts';

export type RecoverDeps = SettleDeps & Pick<Deps, 'psp' | 'clock' | 'log' | 'connections' | 'config'> & Waiting;

/** Whether anything is written. */
export type Mode = { readonly write: boolean };

type Found = { readonly list: ProviderList; readonly charge: PspTransaction };

/**
 * Compares a charge of a provider's list with our records, and adds what they lack. What the list says is not enough to
 * book money: the charge is looked up.
 */
export async function recoverCharge(found: Found, mode: Mode, deps: RecoverDeps): Promise<FoundCharge> {
  const { charge, list } = found;
  const { payment_id } = charge.ids;
  if (payment_id === undefined || !isId('payment', payment_id))
    return resultOf(found, 'not_recovered', { reason: 'The list does not name its payment. Look it up by hand.' });
  // Under the key of a lost payment there may be one by now, made by a repeated request after the restore.
  const payment = await deps.payments.byOperationId(payment_id);
  if (payment?.org_id !== undefined && payment.org_id !== list.connection.org_id)
    return resultOf(found, 'not_recovered', { reason: 'Its payment belongs to another organization.' });
  if (payment?.attempts.some((a) => a.psp_reference === charge.reference))
    return resultOf(found, 'known', { status: payment.status });
  return payment ? addToPayment(payment, found, mode, deps) : rebuild(payment_id, found, mode, deps);
}

export const connectionOf = ({ id, provider, credentials_mark, generation }: Connection): AttemptConnection => ({
  connection_id: id,
  provider,
  ...(credentials_mark !== undefined && { credentials_mark }),
  ...(generation > 1 && { generation }),
});

export const lostChargeOf = (
  paymentId: string,
  { charge, list }: Found,
  money: NonNullable<PspTransaction['money']>,
): LostCharge => ({
  ...money,
  paymentId,
  orgId: list.connection.org_id,
  connection: connectionOf(list.connection),
  reference: charge.reference,
  attemptId: charge.attemptId,
  description: charge.description ?? null,
  customerEmail: charge.ids.customer_email ?? null,
  chargedAt: charge.at,
});

const LOOK_UP_FAILED = { reason: 'The look-up of this charge failed. Run this again.', known: 'later' } as const;

async function rebuild(paymentId: string, found: Found, mode: Mode, deps: RecoverDeps): Promise<FoundCharge> {
  const { money } = found.charge;
  if (!money) return resultOf(found, 'not_recovered', { reason: 'Its amount is not understood. Look it up by hand.' });
  if (!mode.write) return resultOf(found, 'recovered', {});
  const verdict = await lookUp(paymentId, undefined, found, deps);
  if (verdict.kind === 'unknown') return resultOf(found, 'not_recovered', LOOK_UP_FAILED);
  const at = deps.clock.now();
  const lost = recoveredPayment(lostChargeOf(paymentId, found, money), deps.config.stage, at);
  const isTaken = verdict.kind === 'succeeded' && verdict.amount === money.amount;
  const held = isTaken || verdict.kind === 'failed' ? undefined : await heldByMerchant(paymentId, found, deps);
  if (held === 'unreachable') return resultOf(found, 'not_recovered', LOOK_UP_FAILED);
  const created = await deps.payments.create(held ? { ...lost, ...MANUAL_CAPTURE } : lost);
  const payment = held
    ? await settleHeld(created, found, held, deps)
    : await settleFound(created, found, verdict, deps);
  return resultOf(found, 'recovered', { status: payment.status });
}

/**
 * The authorization of a charge that its merchant captures, or has captured only in part. Only our lost record said so.
 * A charge that is taken for another one would be captured by the timer, and nobody has asked for that.
 */
async function heldByMerchant(
  paymentId: string,
  { charge, list }: Found,
  deps: RecoverDeps,
): Promise<PspAuthorization | 'unreachable' | undefined> {
  const session = await openForLists(list.connection, deps);
  if (!session.adapter.manualCapture) return undefined;
  const { reference, attemptId = '' } = charge;
  const ref = { reference, paymentId, attemptId, mayCapture: false, manual: true } as const;
  try {
    const found = await repeated(() => session.fetchAuthorization(ref), isLimited, deps);
    return found && (found.state === 'open' || found.captured < found.authorized) ? found : undefined;
  } catch (error) {
    if (error instanceof PspNotSent) return 'unreachable';
    if (error instanceof PspRefused || error instanceof PspOutcomeUnknown) return undefined;
    throw error;
  }
}

/** The payment as the provider has it: authorized, and what was captured of it. */
function settleHeld(payment: Payment, { charge }: Found, held: PspAuthorization, deps: RecoverDeps): Promise<Payment> {
  const { authorized: amount, currency, capturable_until } = held;
  return deps.payments.change(payment, (p) => {
    const at = deps.clock.now();
    const attempt = p.attempts.find(({ psp_reference }) => psp_reference === charge.reference);
    if (!attempt) return undefined;
    const until = capturable_until ?? plus(at, DAY).toISOString();
    const verdict = {
      kind: 'authorized',
      reference: charge.reference,
      amount,
      currency,
      capturable_until: until,
    } as const;
    const authorized = settle(p, attempt.id, verdict, at);
    return authorized && (applyAuthorization(authorized, attempt.id, held, at) ?? authorized);
  });
}

/** Its payment does not wait for such a charge, so no timer asks for it. Its callback may. */
const UNDECIDED: ReadonlySet<Verdict['kind']> = new Set(['accepted', 'processing', 'requires_action', 'waiting']);
const UNDECIDED_REASON = 'It is not decided yet. Run this again when it is.';

/** The same rule as for a callback about a charge: a second one that took money is refunded. */
async function addToPayment(payment: Payment, found: Found, mode: Mode, deps: RecoverDeps): Promise<FoundCharge> {
  const { charge, list } = found;
  const known = findReportedAttempt(payment, connectionOf(list.connection), [charge.reference, charge.attemptId]);
  if (!mode.write) return resultOf(found, 'added', { status: payment.status });
  const verdict = await lookUp(charge.ids.payment_id ?? payment.id, known?.id, found, deps, payment.capture);
  if (verdict.kind === 'unknown') return resultOf(found, 'not_recovered', LOOK_UP_FAILED);
  const settled = await settleFound(payment, found, verdict, deps);
  if (settled === payment && !known && UNDECIDED.has(verdict.kind))
    return resultOf(found, 'not_recovered', { status: payment.status, reason: UNDECIDED_REASON, known: 'later' });
  return resultOf(found, settled === payment ? 'known' : 'added', { status: settled.status });
}

/** The payment may have ended, so nothing is captured. */
async function lookUp(
  paymentId: string,
  attemptId: string | undefined,
  { charge, list }: Found,
  deps: RecoverDeps,
  capture?: Payment['capture'],
): Promise<Verdict> {
  const manual = capture && ({ manual: true } as const);
  const ref = { reference: charge.reference, paymentId, attemptId: attemptId ?? charge.attemptId ?? '', ...manual };
  const fetch = async () => (await openForLists(list.connection, deps)).fetch({ ...ref, mayCapture: false });
  return classifyLookup(() => repeated(fetch, isLimited, deps), deps.log);
}

const settleFound = (
  payment: Payment,
  { charge, list }: Found,
  verdict: Verdict,
  deps: RecoverDeps,
): Promise<Payment> =>
  settlePayment(
    payment,
    (current) => {
      const at = deps.clock.now();
      const connection = connectionOf(list.connection);
      const reference = 'reference' in verdict && verdict.reference !== null ? verdict.reference : charge.reference;
      const attempt = findReportedAttempt(current, connection, [charge.reference, charge.attemptId, reference]);
      if (attempt) return withRefundsRead(settle(current, attempt.id, verdict, at), attempt.id, at);
      if (verdict.kind !== 'succeeded' && verdict.kind !== 'authorized') return undefined;
      const adopted = adoptCharge(current, connection, reference, at);
      return withRefundsRead(settle(adopted.payment, adopted.attemptId, verdict, at), adopted.attemptId, at);
    },
    deps,
  );

/** Its refunds are as lost as the charge was. The timer reads them from the provider. */
function withRefundsRead(payment: Payment | undefined, attemptId: string, at: Date): Payment | undefined {
  const isPaid = payment?.attempts.some((a) => a.id === attemptId && a.status === 'succeeded');
  return payment && isPaid ? markUnreadRefunds(payment, attemptId, at) : payment;
}

const resultOf = (
  { charge, list }: Found,
  result: FoundCharge['result'],
  { status = null, reason, known = 'never' }: Partial<Pick<FoundCharge, 'status' | 'reason' | 'known'>>,
): FoundCharge => ({
  payment_id: charge.ids.payment_id ?? null,
  org_id: list.connection.org_id,
  connection_id: list.connection.id,
  provider: list.connection.provider,
  reference: charge.reference,
  amount: charge.money?.amount ?? null,
  currency: charge.money?.currency ?? null,
  at: charge.at,
  description: charge.description ?? null,
  result,
  status,
  ...(reason !== undefined && { reason, known }),
});
