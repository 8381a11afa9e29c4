import { touched } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import { markBudgetExhausted, newDecline, wasDeclinedBefore } from '#shared/domain/payments/retry-budget.rules.ts';
import type { NewAttempt } from '#shared/domain/payments/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { openInstrument } from '#shared/services/payments/charge-order.service.ts';
import {
  checkBudget,
  countDecline,
  releaseUnlessStarted,
  reserveSlots,
} from '#shared/services/payments/retry-budget.service.ts';

export type SettleDeps = Pick<Deps, 'payments' | 'paymentMethods' | 'retryBudget' | 'clock' | 'vault' | 'log'>;

/**
 * Returns the changed payment, or undefined for no change. With `next`, a failure that allows failover starts this
 * attempt at the next connection.
 */
export type DecideSettlement = (payment: Payment, next?: NewAttempt) => Payment | undefined;

/**
 * Writes the PSP's verdict on an attempt, and fails over to `next` if the verdict and the retry budget allow it. Every
 * verdict is written here, so that each decline is counted, whoever reports it. `decide` runs once for this payment,
 * and again if another process has changed the payment meanwhile. `saved`: the token of the method that the PSP has
 * kept.
 */
export async function settlePayment(
  payment: Payment,
  decide: DecideSettlement,
  deps: SettleDeps,
  saved?: PaymentToken,
  next?: NewAttempt,
): Promise<Payment> {
  const first = decide(payment, next);
  if (!first) return payment;
  const kept = payment.save && isCharged(first) ? await keepMethod(payment, first, saved, deps) : undefined;
  const decided = kept === undefined ? first : withMethod(first, kept);
  const declined = newDecline(payment, decided);
  if (declined) await countDecline(payment, declined, deps);
  if (next && decided.attempts.some(({ id }) => id === next.id)) return failOver(payment, decided, decide, deps, next);
  let lostRace = false;
  const decideAgain = (newer: Payment) => {
    lostRace = true;
    return withMethod(decide(newer) ?? unnamed(newer, kept, deps), kept);
  };
  const settled = await deps.payments.change(payment, decideAgain, decided);
  const declinedLater = lostRace && !declined ? newDecline(payment, settled) : undefined;
  if (declinedLater) await countDecline(payment, declinedLater, deps);
  return settled;
}

const isCharged = ({ status }: Payment): boolean => status === 'succeeded' || status === 'authorized';

/**
 * The method is kept before the payment is settled: whoever dies between leaves it for the next one, as its id derives
 * from the payment's. Loaded when it is needed: few payments keep one.
 */
async function keepMethod(
  payment: Payment,
  charged: Payment,
  saved: PaymentToken | undefined,
  deps: SettleDeps,
): Promise<string | undefined> {
  const { keepSavedMethod } = await import('#shared/services/payment-methods/keep-saved-method.service.ts');
  return keepSavedMethod(payment, charged, saved, deps);
}

const withMethod = <P extends Payment | undefined>(payment: P, kept: string | undefined): P =>
  payment && kept !== undefined ? { ...payment, payment_method_id: kept } : payment;

/** Another process has settled the payment, without the token that tells which method it has made. */
const unnamed = (payment: Payment, kept: string | undefined, { clock }: SettleDeps): Payment | undefined =>
  kept !== undefined && payment.save && payment.payment_method_id === undefined
    ? touched(payment, clock.now())
    : undefined;

/**
 * Sends back money that the payment may not keep. Loaded when there may be some: what charges starts faster without it.
 */
export async function sendBackUnwanted(
  payment: Payment,
  deadline: Deadline,
  deps: SettleDeps & Pick<Deps, 'psp' | 'connections'>,
): Promise<Payment> {
  const { sendAutomaticRefunds } = await import('#shared/services/payments/refund-payment.service.ts');
  return sendAutomaticRefunds(payment, deadline, deps);
}

/** Writes the next attempt, if the retry budget allows it; otherwise the payment fails. */
async function failOver(
  payment: Payment,
  decided: Payment,
  decide: DecideSettlement,
  deps: SettleDeps,
  next: NewAttempt,
): Promise<Payment> {
  const retry = {
    payment,
    attemptId: next.id,
    provider: next.provider,
    instrument: await openInstrument(payment, deps),
  };
  const reserved = await (wasDeclinedBefore(decided) ? reserveSlots(retry, deps) : checkBudget(retry, deps));
  if (reserved.outcome === 'exhausted') return deps.payments.change(payment, (p) => markBudgetExhausted(decide(p)));
  return releaseUnlessStarted(
    reserved,
    deps.payments.change(payment, (p) => decide(p, next), decided),
    deps,
  );
}
