import type { PlannedPayment } from '#functions/invoices/invoice-payment.ts';
import { withinBudget } from '#functions/payments/spend-budget.ts';
import { failPlanned } from '#shared/domain/attempt-start.machine.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { noteStopped } from '#shared/domain/retry-budget.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What was read has been changed meanwhile: nothing was written. */
export class Lost extends AppError {
  constructor() {
    super('write_conflict', 'The invoice was changed meanwhile. Look at it first.');
  }
}

type Commit = (payment: Payment, sent: Attempt | undefined) => Promise<Payment>;
type Needs = Pick<Deps, 'payments' | 'retryBudget' | 'clock'>;

/**
 * Writes a planned payment with its attempt where the budget of its means of payment has a place for that. Where it has none,
 * and nobody is there to be told, it is written as failed: no provider hears of it, and it tells why.
 */
export async function beginOrStop(
  planned: PlannedPayment,
  commit: Commit,
  refuse: ((until: Date) => Promise<Payment>) | undefined,
  deps: Needs,
): Promise<Payment> {
  const { payment, instrument, sent } = planned;
  if (!sent) return commit(payment, undefined);
  const stop = () => commit(stopped(payment, deps.clock.now()), undefined);
  const again = { payment, attemptId: sent.id, provider: sent.provider, instrument };
  return withinBudget(again, () => commit(payment, sent), refuse ?? stop, deps);
}

function stopped(payment: Payment, at: Date): Payment {
  const failed = failPlanned(payment, failureOf(declineOf('retry_budget_exhausted')), at);
  return noteStopped(failed) ?? failed;
}
