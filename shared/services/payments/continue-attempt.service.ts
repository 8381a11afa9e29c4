import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { markOutcomeUnknown } from '#shared/domain/payments/attempt-lost.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { chargeOrder } from '#shared/services/payments/charge-order.service.ts';
import { openSession, referenceOf } from '#shared/services/payments/open-session.service.ts';
import { sendOwedRefunds } from '#shared/services/payments/send-refund.service.ts';
import { settlePayment } from '#shared/services/payments/settle-payment.service.ts';
import { classifyConfirm } from '#shared/services/payments/classify-outcome.service.ts';

type Needs = Pick<
  Deps,
  'payments' | 'retryBudget' | 'psp' | 'clock' | 'vault' | 'config' | 'log' | 'connections' | 'pspDeadline'
>;

/**
 * Continues after a next action with the customer's input. This may take the money: an unreadable answer leaves the
 * outcome unknown.
 */
export async function continueAttempt(
  payment: Payment,
  attempt: Attempt,
  input: Readonly<Record<string, unknown>>,
  deps: Needs,
): Promise<Payment> {
  const deadline = deps.pspDeadline();
  const { verdict } = await classifyConfirm(async () => {
    const [session, order] = await Promise.all([
      openSession(payment, attempt, deadline, deps),
      chargeOrder(payment, attempt, deps),
    ]);
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
