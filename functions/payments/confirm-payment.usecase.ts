import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { AppError, invalidFields, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { assertOutcomeKnown } from '#shared/services/payments/assert-outcome-known.service.ts';
import { chargePayment } from '#shared/services/payments/charge-payment.service.ts';
import { continueAttempt } from '#shared/services/payments/continue-attempt.service.ts';
import { assertInputExpected, faultsIn } from '#shared/services/payments/customer-input.service.ts';
import { methodForStep } from '#shared/services/payments/instrument.service.ts';
import { decideRouting, dispatch } from '#shared/services/payments/plan-payment.service.ts';

export type ConfirmInput = {
  readonly id: string;
  readonly payment_method?: PaymentMethodInput;
  readonly input?: Readonly<Record<string, string | number | boolean>>;
};

/** Sends an intent to its PSP, or continues a payment with the customer's input. */
export async function confirmPayment(input: ConfirmInput, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  const begun = currentAttempt(payment);
  if (begun && begunBy(caller, payment, begun))
    return chargePayment(payment, caller.operation, true, await caller.setup(), deps);
  if (payment.status === 'created') return startIntent(payment, input, caller, deps);
  assertOutcomeKnown(payment);
  if (payment.status !== 'requires_action' || !begun) {
    // An earlier run of this very request, which died, may have brought the payment here.
    if (caller.operation.resumed && (begun || payment.failure)) return payment;
    throw notConfirmable(payment);
  }
  const faults = faultsIn(payment, input, deps.psp.adapter(begun.provider));
  // An earlier run of this very request may have passed its input on already, and the PSP may ask for something else by
  // now.
  if (faults.length > 0 && caller.operation.resumed) return payment;
  if (faults.length > 0) throw invalidFields(faults);
  return continueAttempt(payment, begun, input.input ?? {}, deps);
}

/** Whether an earlier run of this very operation, which died, started the attempt. */
export const begunBy = ({ operation }: Caller, payment: Payment, attempt: Attempt): boolean =>
  operation.resumed &&
  payment.attempts.some((a, n) => a.id === attempt.id && a.id === operationId(operation, 'attempt', n));

async function startIntent(payment: Payment, input: ConfirmInput, caller: Caller, deps: Deps): Promise<Payment> {
  assertInputExpected(payment, input.input ?? {});
  const [setup, { instrument, changes }] = await Promise.all([
    caller.setup(),
    methodForStep(payment, input.payment_method, deps),
  ]);
  const decision = decideRouting(payment, setup, instrument, deps);
  const started = await deps.payments.change(payment, (p) => {
    if (p.status !== 'created') throw notConfirmable(p);
    return dispatch(
      { ...p, ...changes, ...whereaboutsOf(caller) },
      decision,
      caller.operation,
      'start',
      deps.clock.now(),
    );
  });
  return chargePayment(started, caller.operation, false, setup, deps);
}

/** A public key is used in the customer's own browser, so its address replaces the one that the shop's server gave. */
const whereaboutsOf = ({ kind, ip }: Caller): Partial<Pick<Payment, 'customer_ip'>> =>
  kind === 'public' ? { customer_ip: ip } : {};

const notConfirmable = ({ status }: Payment): AppError =>
  new AppError('payment_not_confirmable', `A ${status} payment can't be confirmed.`);
