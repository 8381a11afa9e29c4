import { isPayable } from '#shared/domain/billing/invoice.machine.ts';
import { needsOtherMethod } from '#shared/domain/payments/declines.catalog.ts';
import { currentAttempt, nameOf } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Instrument, openInstrument, type StepInput } from '#shared/services/payments/charge-order.service.ts';
import {
  type Charge,
  type ChargeDeps,
  chargePayment,
  readCredentials,
  startedBy,
} from '#shared/services/payments/charge-payment.service.ts';
import { isChosenOnProviderPage, isSameInstrument } from '#shared/services/payments/instrument-keys.service.ts';
import { decideRouting, startFirstAttempt } from '#shared/services/payments/plan-payment.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/query-attempt.service.ts';
import { releaseUnlessStarted, reserveSlots } from '#shared/services/payments/retry-budget.service.ts';
import { methodForStep, withoutMethod } from '#shared/services/payments/step-method.service.ts';

type RetryPaymentInput = StepInput & { readonly id: string };

/** Another attempt at a failed payment, routed afresh. */
export async function retryPayment(
  input: RetryPaymentInput,
  caller: Caller,
  deps: ChargeDeps & Pick<Deps, 'invoices'>,
): Promise<Payment> {
  const payment = orNotFound(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  const routingData = await caller.routingData();
  const current = currentAttempt(payment);
  if (current && startedBy(caller, payment, current))
    return chargePayment({ payment, operation: caller.operation, resumed: true, routingData }, deps);
  if (hasRun(caller, payment)) return payment;
  assertOutcomeKnown(payment);
  assertRetryable(payment);
  await assertInvoicePayable(payment, deps);
  const { instrument, changes } = await methodForStep(payment, input, routingData, deps);
  await assertMethodMayWork(payment, input.payment_method && instrument, deps);
  const withMethod = (p: Payment): Payment => ({
    ...(input.payment_method ? withOwnMethod(withoutMethod(p)) : p),
    ...changes,
  });
  const decision = decideRouting(withMethod(payment), routingData, instrument, deps.clock.now(), deps);
  const [first] = decision.plan.ranked;
  const retriedAttempt = first && {
    payment,
    attemptId: operationId(caller.operation, 'attempt', payment.attempts.length),
    provider: first.provider,
    instrument,
  };
  const reserved = await reserveSlots(retriedAttempt, deps);
  if (reserved.outcome === 'exhausted') throw retryBudgetExhausted(reserved.until);
  let credentials: Charge['credentials'];
  const begin = (p: Payment): Payment => {
    assertRetryable(p);
    if (p.attempts.length !== payment.attempts.length)
      throw new AppError('write_conflict', 'Another request has retried the payment. Look at it first.');
    const next = startFirstAttempt(withMethod(p), decision, caller.operation, 'retry', deps.clock.now());
    credentials = readCredentials(next, routingData, deps);
    return next;
  };
  const started = await releaseUnlessStarted(reserved, deps.payments.change(payment, begin), deps);
  const charge = { payment: started, operation: caller.operation, resumed: false, routingData, credentials };
  return chargePayment(charge, deps);
}

/** Whether an earlier run of this very request has been here, even if another retry came after it. */
const hasRun = ({ operation }: Caller, { attempts, unsent }: Payment): boolean =>
  operation.resumed &&
  [...attempts.map(({ id }) => id), unsent].some((id, n) => id === operationId(operation, 'attempt', n));

const withOwnMethod = (payment: Payment): Payment => (payment.invoice_id ? { ...payment, own_method: true } : payment);

/** Money for an invoice that is paid or canceled would be refunded at once. */
async function assertInvoicePayable({ invoice_id }: Payment, { invoices }: Pick<Deps, 'invoices'>): Promise<void> {
  const invoice = invoice_id ? await invoices.byId(invoice_id) : undefined;
  if (invoice && !isPayable(invoice))
    throw new AppError('payment_not_retryable', `The invoice of this payment is ${invoice.status}.`);
}

/**
 * Schemes fine attempts at a card that can never succeed. A method without a token is chosen anew on the provider's page,
 * and one that was never sent says nothing about the card.
 */
async function assertMethodMayWork(
  payment: Payment,
  method: Instrument | undefined,
  deps: Pick<Deps, 'vault'>,
): Promise<void> {
  if (!payment.failure || !needsOtherMethod(payment.failure) || currentAttempt(payment)?.call === 'none') return;
  const failed = await openInstrument(payment, deps);
  if (isChosenOnProviderPage(failed) || (method && !isSameInstrument(failed, method))) return;
  throw new AppError(
    'payment_not_retryable',
    `The payment failed with ${payment.failure.code}: this payment method will not be approved. Send another one as ` +
      '`payment_method`.',
  );
}

function assertRetryable(payment: Payment): void {
  if (payment.status !== 'failed') throw new AppError('payment_not_retryable', `${nameOf(payment)} can't be retried.`);
  if (payment.review)
    throw new AppError('payment_not_retryable', "A payment in review can't be retried. Cancel ends the review.");
  if (!payment.failure?.retryable)
    throw new AppError(
      'payment_not_retryable',
      `A payment that failed with ${payment.failure?.code} can't be retried.`,
    );
}

function retryBudgetExhausted(until: Date): AppError {
  const available_at = until.toISOString();
  const message =
    'This payment method was declined too often to be tried again now. Use another one, or try again after ' +
    `${available_at}.`;
  return new AppError('retry_budget_exhausted', message, { details: { available_at } });
}
