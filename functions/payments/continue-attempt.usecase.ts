import { chargeOrder } from '#functions/payments/charge-order.ts';
import { openSession, referenceOf } from '#functions/payments/open-session.ts';
import { sendOwedRefunds } from '#functions/payments/send-refund.usecase.ts';
import { settlePayment } from '#functions/payments/settle-payment.ts';
import { settle } from '#shared/domain/attempt.machine.ts';
import { markOutcomeUnknown } from '#shared/domain/attempt-lost.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { hearConfirm } from '#shared/psp/verdicts.ts';

type Needs = Pick<Deps, 'payments' | 'retryBudget' | 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections' | 'pspDeadline'>;

/** Continues after a next action with the customer's input. This may take the money: an unreadable answer leaves the outcome unknown. */
export async function continueAttempt(payment: Payment, attempt: Attempt, input: Readonly<Record<string, unknown>>, deps: Needs): Promise<Payment> {
  const deadline = deps.pspDeadline();
  const { verdict } = await hearConfirm(async () => {
    const [session, order] = await Promise.all([openSession(payment, attempt, deadline, deps), chargeOrder(payment, attempt, deps)]);
    return session.confirm(referenceOf(attempt), order, input);
  }, deps.log);
  if (!verdict) return payment;
  const at = deps.clock.now();
  const settled = await settlePayment(
    payment,
    (p) => (verdict.kind === 'unknown' ? markOutcomeUnknown(p, attempt.id, at) : settle(p, attempt.id, verdict, at)),
    deps,
  );
  return sendOwedRefunds(settled, deadline, deps);
}
