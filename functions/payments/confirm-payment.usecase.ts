import { faultsIn, refuseOtherInput } from '#functions/payments/asked-input.ts';
import { chargePayment } from '#functions/payments/charge-payment.usecase.ts';
import { continueAttempt } from '#functions/payments/continue-attempt.usecase.ts';
import { arm } from '#functions/payments/instrument.ts';
import type { PaymentMethodBody } from '#functions/payments/payments.schema.ts';
import { departureOf, sendOff } from '#functions/payments/plan-payment.ts';
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

/** Sends an intent to its PSP, or goes on after what the customer was asked for. */
export async function confirmPayment(input: ConfirmInput, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  const begun = currentAttempt(payment);
  if (begun && begunBy(caller, payment, begun)) return chargePayment(payment, caller.operation, true, await caller.setup(), deps);
  if (payment.status === 'created') return startIntent(payment, input, caller, deps);
  refuseUnknown(payment);
  if (payment.status !== 'requires_action' || !begun) {
    // An earlier run of this very request, which died, may have brought it here.
    if (caller.operation.resumed && (begun || payment.failure)) return payment;
    throw notConfirmable(payment);
  }
  const faults = faultsIn(payment, input, deps.psp.adapter(begun.provider));
  // What an earlier run of this very request was asked for may be answered, and something else asked by now.
  if (faults.length > 0 && caller.operation.resumed) return payment;
  if (faults.length > 0) throw invalidFields(faults);
  return continueAttempt(payment, begun, input.input ?? {}, deps);
}

/** Whether an earlier run of this very operation, which died, started the attempt. */
export const begunBy = ({ operation }: Caller, payment: Payment, attempt: Attempt): boolean =>
  operation.resumed && payment.attempts.some((a, n) => a.id === attempt.id && a.id === operationId(operation, 'attempt', n));

async function startIntent(payment: Payment, input: ConfirmInput, caller: Caller, deps: Deps): Promise<Payment> {
  refuseOtherInput(payment, input.input ?? {});
  const [setup, { instrument, changes }] = await Promise.all([caller.setup(), arm(payment, input.payment_method, deps)]);
  const departure = departureOf(payment, setup, instrument, deps);
  const started = await deps.payments.change(payment, (p) => {
    if (p.status !== 'created') throw notConfirmable(p);
    return sendOff({ ...p, ...changes, ...whereaboutsOf(caller) }, departure, caller.operation, 'start', deps.clock.now());
  });
  return chargePayment(started, caller.operation, false, setup, deps);
}

/** A public key is used in the customer's own browser: what the shop's server said of the address was at best hearsay. */
const whereaboutsOf = ({ kind, ip }: Caller): Partial<Pick<Payment, 'customer_ip'>> => (kind === 'public' ? { customer_ip: ip } : {});

const notConfirmable = ({ status }: Payment): AppError => new AppError('payment_not_confirmable', `A ${status} payment can't be confirmed.`);
