import { settle, type Verdict } from '#shared/domain/attempt.machine.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { postponeExpiry } from '#shared/domain/reconcile.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspRefused } from '#shared/ports/psp.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

const TRY_AGAIN = 10 * MINUTE;

/** The customer's time is over: the page is ended at the PSP first, so that no money comes after we said it failed. */
export async function expireAttempt(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Needs): Promise<Payment> {
  const { verdict } = await hearAnswer(() => end(payment, attempt, deadline, deps), deps.log);
  const at = deps.clock.now();
  const expired: Verdict = { kind: 'failed', reference: attempt.psp_reference, failure: failureOf(declineOf('expired')), elsewhere: false };
  if (verdict.kind === 'canceled' || verdict.kind === 'failed') return deps.payments.change(payment, (p) => settle(p, attempt.id, expired, at));
  if (verdict.kind === 'succeeded') return deps.payments.change(payment, (p) => settle(p, attempt.id, verdict, at));
  return deps.payments.change(payment, (p) => postponeExpiry(p, attempt.id, plus(at, TRY_AGAIN)));
}

/** A PSP that has no way to end it, or says it is too late, tells how it stands. */
async function end(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Needs) {
  const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
  if (!connection || attempt.psp_reference === null) throw new PspRefused('not_found', 'The charge is out of reach.');
  const session = await deps.psp.open(connection, deadline);
  const reference = attempt.psp_reference;
  return session.cancel(reference, payment.id, attempt.id).catch((error) => {
    if (error instanceof PspRefused && error.kind === 'state') return session.fetch(reference, payment.id);
    throw error;
  });
}
