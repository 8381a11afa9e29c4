import { sendOwedRefunds } from '#functions/payments/send-refund.usecase.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import { settle } from '#shared/domain/attempt.machine.ts';
import { adoptCharge, attemptFor } from '#shared/domain/callback.rules.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { Verdict } from '#shared/domain/verdict.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

/** A signature says who speaks, not that it is true: the PSP is asked for the charge before anything moves. */
export async function applyPaymentCallback({ payment, connection, session, deadline }: VerifiedCallback, reference: string, deps: Deps): Promise<void> {
  const known = payment.attempts.find((a) => a.psp_reference === reference);
  if (known?.status === 'succeeded') return;
  const verdict = await look(session, payment, reference, known ?? attemptFor(payment, connection.id, []), deps);
  // The PSP sends it again, and by then it can be asked.
  if (verdict.kind === 'unknown') throw new AppError('provider_error', 'The provider could not be asked about this event.');
  const settled = await deps.payments.change(payment, (p) => applied(p, connection, reference, verdict, deps.clock.now()));
  await sendOwedRefunds(settled, deadline, deps);
}

/** A declined try on a hosted page comes under the try's own reference; how the page stands, which may go on, is what counts. */
async function look(session: PspSession, payment: Payment, reference: string, attempt: Attempt | undefined, { log }: Deps): Promise<Verdict> {
  const { verdict } = await hearAnswer(() => session.fetch(reference, payment.id), log);
  const page = attempt?.psp_reference;
  if (verdict.kind === 'succeeded' || page == null || page === reference) return verdict;
  return (await hearAnswer(() => session.fetch(page, payment.id), log)).verdict;
}

function applied(payment: Payment, connection: Connection, reference: string, verdict: Verdict, at: Date): Payment | undefined {
  const attempt = attemptFor(payment, connection.id, [reference, 'reference' in verdict ? verdict.reference : null]);
  if (attempt) return isForOurCall(payment, attempt, verdict) ? undefined : settle(payment, attempt.id, verdict, at);
  if (verdict.kind !== 'succeeded') return undefined;
  const adopted = adoptCharge(payment, connection, verdict.reference, at);
  return settle(adopted.payment, adopted.attemptId, verdict, at);
}

/** Our own call is still out. It hears the same, and only it can go on to another connection. */
const isForOurCall = ({ alternatives }: Payment, attempt: Attempt, verdict: Verdict): boolean =>
  attempt.phase === 'calling' && verdict.kind === 'failed' && verdict.elsewhere && alternatives.length > 0;
