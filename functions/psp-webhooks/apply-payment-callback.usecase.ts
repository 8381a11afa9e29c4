import { sendOwedRefunds } from '#functions/payments/send-refund.usecase.ts';
import { settle, type Verdict } from '#shared/domain/attempt.machine.ts';
import { adoptCharge, attemptFor } from '#shared/domain/callback.rules.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

/** A signature says who speaks, not that it is true: the PSP is asked for the charge before anything moves. */
export async function applyPaymentCallback(payment: Payment, connection: Connection, reference: string, deps: Deps): Promise<void> {
  const known = payment.attempts.find((a) => a.psp_reference === reference);
  if (known?.status === 'succeeded') return;
  const deadline = deps.pspDeadline();
  const session = await deps.psp.open(connection, deadline);
  const { verdict } = await hearAnswer(() => session.fetch(reference, payment.id), deps.log);
  // The PSP sends it again, and by then it can be asked.
  if (verdict.kind === 'unknown') throw new AppError('provider_error', 'The provider could not be asked about this event.');
  const settled = await deps.payments.change(payment, (p) => applied(p, connection, reference, verdict, deps.clock.now()));
  await sendOwedRefunds(settled, deadline, deps);
}

function applied(payment: Payment, connection: Connection, reference: string, verdict: Verdict, at: Date): Payment | undefined {
  const attempt = attemptFor(payment, connection.id, [reference, 'reference' in verdict ? verdict.reference : null]);
  if (attempt) return settle(payment, attempt.id, verdict, at);
  if (verdict.kind !== 'succeeded') return undefined;
  const adopted = adoptCharge(payment, connection, verdict.reference, at);
  return settle(adopted.payment, adopted.attemptId, verdict, at);
}
