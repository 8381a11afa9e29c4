import { isClientSecret } from '#functions/payments/create-payment.usecase.ts';
import { failureForCustomer } from '#shared/domain/payments/declines.catalog.ts';
import { currentAttempt, nameOf } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, invalidFields, orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Instrument, StepInput } from '#shared/services/payments/charge-order.service.ts';
import {
  type Charge,
  type ChargeDeps,
  chargePayment,
  continueAttempt,
  readCredentials,
  startedBy,
} from '#shared/services/payments/charge-payment.service.ts';
import { assertInputExpected, inputErrors } from '#shared/services/payments/customer-input.service.ts';
import { decideRouting, startFirstAttempt } from '#shared/services/payments/plan-payment.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/query-attempt.service.ts';
import { methodForStep, withoutMethod } from '#shared/services/payments/step-method.service.ts';

export type ConfirmInput = StepInput & {
  readonly id: string;
  readonly input?: Readonly<Record<string, string | number | boolean>>;
};

/** Sends an intent to its PSP, or continues a payment with the customer's input. */
export async function confirmPayment(input: ConfirmInput, caller: Caller, deps: ChargeDeps): Promise<Payment> {
  const payment = orNotFound(await deps.payments.get(caller.orgId, input.id), 'There is no such payment.');
  const attempt = currentAttempt(payment);
  if (attempt && startedBy(caller, payment, attempt))
    return chargePayment(
      { payment, operation: caller.operation, resumed: true, routingData: await caller.routingData() },
      deps,
    );
  if (payment.status === 'created') return startIntent(payment, input, caller, deps);
  assertOutcomeKnown(payment);
  if (payment.status !== 'requires_action' || !attempt) {
    // An earlier run of this very request, which died, may have brought the payment here.
    if (caller.operation.resumed && (attempt || payment.failure)) return payment;
    throw notConfirmable(payment);
  }
  const faults = inputErrors(payment, input, deps.psp.adapter(attempt.provider));
  // An earlier run of this very request may have sent its input already, and the PSP may need something else by now.
  if (faults.length > 0 && caller.operation.resumed) return payment;
  if (faults.length > 0) throw invalidFields(faults);
  return continueAttempt(payment, attempt, input.input ?? {}, deps);
}

async function startIntent(payment: Payment, input: ConfirmInput, caller: Caller, deps: ChargeDeps): Promise<Payment> {
  assertInputExpected(payment, input.input ?? {});
  const reading = caller.routingData();
  const [routingData, { instrument, changes }] = await Promise.all([
    reading,
    methodForStep(payment, input, reading, deps),
  ]);
  assertCallerMayStart(instrument, caller);
  const decision = decideRouting({ ...payment, ...changes }, routingData, instrument, deps.clock.now(), deps);
  let credentials: Charge['credentials'];
  const started = await deps.payments.change(payment, (p) => {
    if (p.status !== 'created') throw notConfirmable(p);
    const confirmed = { ...(input.payment_method ? withoutMethod(p) : p), ...changes, ...customerIpOf(caller) };
    const next = startFirstAttempt(confirmed, decision, caller.operation, 'start', deps.clock.now());
    credentials = readCredentials(next, routingData, deps);
    return next;
  });
  const charge = { payment: started, operation: caller.operation, resumed: false, routingData, credentials };
  return chargePayment(charge, deps);
}

/** A public key is used in the customer's own browser, so its address replaces the one that the shop's server gave. */
const customerIpOf = ({ kind, ip }: Caller): Partial<Pick<Payment, 'customer_ip'>> =>
  kind === 'public' ? { customer_ip: ip } : {};

/** A browser shows that the customer is there. */
function assertCallerMayStart({ details }: Instrument, { kind }: Caller): void {
  if (kind !== 'public' || !details?.mit) return;
  const message = "This payment has mit, as if the customer were absent: only the shop's server can confirm it.";
  throw new AppError('payment_not_confirmable', message);
}

const notConfirmable = (payment: Payment): AppError =>
  new AppError('payment_not_confirmable', `${nameOf(payment)} can't be confirmed.`);

type ConfirmIntentInput = ConfirmInput & { readonly client_secret: string };

/**
 * `confirm` from the customer's browser. The public key is known to everyone: it is the client secret that opens this
 * one payment. A wrong one gets the same error as a payment that does not exist, before anything is read.
 */
export async function confirmPaymentIntent(
  { client_secret, ...input }: ConfirmIntentInput,
  caller: Caller,
  deps: ChargeDeps,
): Promise<Payment> {
  if (!isClientSecret(client_secret, input.id, deps.config))
    throw new AppError('not_found', 'There is no such payment.');
  const payment = await confirmPayment(input, caller, deps);
  return { ...payment, failure: payment.failure && failureForCustomer(payment.failure) };
}
