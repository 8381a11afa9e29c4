import { faultsIn, refuseOtherInput } from '#functions/payments/asked-input.ts';
import { chargePayment } from '#functions/payments/charge-payment.usecase.ts';
import { continueAttempt } from '#functions/payments/continue-attempt.usecase.ts';
import { methodForStep } from '#functions/payments/instrument.ts';
import type { PaymentMethodBody } from '#functions/payments/payments.schema.ts';
import { decideRouting, dispatch } from '#functions/payments/plan-payment.ts';
import { refuseUnknown } from '#functions/payments/refuse-unknown.ts';
import { currentAttempt } from '#shared/domain/attempts.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { AppError, invalidFields, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ConfirmInput = {
  readonly id: string;
  readonly payment_method?: PaymentMethodBody;
  readonly input?: Readonly<Record<string, string | number | boolean>>;
};

/** Sends an intent to its PSP, or continues a payment with the customer's input. */
export async function confirmPayment(input: ConfirmInput, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  const begun = currentAttempt(payment);
  if (begun && begunBy(caller, payment, begun)) return chargePayment(payment, caller.operation, true, await caller.setup(), deps);
  if (payment.status === 'created') return startIntent(payment, input, caller, deps);
  refuseUnknown(payment);
  if (payment.status !== 'requires_action' || !begun) {
    // An earlier run of this very request, which died, may have brought the payment here.
    if (caller.operation.resumed && (begun || payment.failure)) return payment;
    throw notConfirmable(payment);
  }
  const faults = faultsIn(payment, input, deps.psp.adapter(begun.provider));
  // An earlier run of this very request may have passed its input on already, and the PSP may ask for something else by now.
  if (faults.length > 0 && caller.operation.resumed) return payment;
  if (faults.length > 0) throw invalidFields(faults);
  return continueAttempt(payment, begun, input.input ?? {}, deps);
}

/** Whether an earlier run of this very operation, which died, started the attempt. */
export const begunBy = ({ operation }: Caller, payment: Payment, attempt: Attempt): boolean =>
  operation.resumed && payment.attempts.some((a, n) => a.id === attempt.id && a.id === operationId(operation, 'attempt', n));

async function startIntent(payment: Payment, input: ConfirmInput, caller: Caller, deps: Deps): Promise<Payment> {
  refuseOtherInput(payment, input.input ?? {});
  const [setup, { instrument, changes }] = await Promise.all([caller.setup(), methodForStep(payment, input.payment_method, deps)]);
  const decision = decideRouting(payment, setup, instrument, deps);
  const started = await deps.payments.change(payment, (p) => {
    if (p.status !== 'created') throw notConfirmable(p);
    return dispatch({ ...p, ...changes, ...whereaboutsOf(caller) }, decision, caller.operation, 'start', deps.clock.now());
  });
  return chargePayment(started, caller.operation, false, setup, deps);
}

/** A public key is used in the customer's own browser, so its address replaces the one that the shop's server gave. */
const whereaboutsOf = ({ kind, ip }: Caller): Partial<Pick<Payment, 'customer_ip'>> => (kind === 'public' ? { customer_ip: ip } : {});

const notConfirmable = ({ status }: Payment): AppError => new AppError('payment_not_confirmable', `A ${status} payment can't be confirmed.`);
