import { announce } from '#shared/domain/payments/payment.events.ts';
import { advance } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Failure, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptSeed } from '#shared/domain/payments/verdict.model.ts';

/** A new attempt, written before the PSP is called. */
export function startAttempt(payment: Payment, seed: AttemptSeed, step: 'start' | 'retry', at: Date): Payment {
  return withAttempt({ ...advance(payment, step, at), failure: null }, seed, at);
}

/** The payment with one more attempt, which is the current one from here on. */
export function withAttempt(payment: Payment, seed: AttemptSeed, at: Date): Payment {
  const { alternatives, ...noted } = seed;
  const attempt: Attempt = {
    ...noted,
    status: 'processing',
    failure: null,
    psp_reference: null,
    latency_ms: null,
    started_at: at.toISOString(),
    phase: 'calling',
  };
  return {
    ...payment,
    connection_id: seed.connection_id,
    provider: seed.provider,
    psp_reference: null,
    alternatives,
    attempts: [...payment.attempts, attempt],
  };
}

/** A payment that no PSP was asked about: no route, or the fraud policy stopped it. */
export function failUnsent(payment: Payment, failure: Failure, at: Date): Payment {
  return announce({ ...advance(payment, 'fail', at), failure }, 'payment.failed', at);
}

/**
 * Blocks a payment whose attempt is written but not sent: velocity is counted exactly only once the payment's id is
 * stored.
 */
export const blockUnsent = (payment: Payment, reasons: readonly string[], failure: Failure, at: Date): Payment =>
  failPlanned({ ...payment, fraud: { decision: 'blocked', reasons } }, failure, at);

/** Drops the planned attempt of a payment that another one has paid meanwhile. */
export const withoutPlanned = (payment: Payment): Payment => ({
  ...payment,
  attempts: payment.attempts.slice(0, -1),
  ...unsentIn(payment),
});

/** Fails the payment and drops its planned attempt, which is never sent. */
export function failPlanned(payment: Payment, failure: Failure, at: Date): Payment {
  const { unscreened: _, ...screened } = payment;
  const attempts = payment.attempts.slice(0, -1);
  const { connection_id = null, provider = null, psp_reference = null } = attempts.at(-1) ?? {};
  const unsent: Payment = {
    ...screened,
    attempts,
    connection_id,
    provider,
    psp_reference,
    alternatives: [],
    ...unsentIn(payment),
  };
  const failed = failUnsent(unsent, failure, at);
  return { ...failed, claim: failed.claim && { ...failed.claim, answered: true } };
}

function unsentIn(payment: Payment): Pick<Payment, 'unsent'> {
  const last = payment.attempts.at(-1);
  return last ? { unsent: last.id } : {};
}
