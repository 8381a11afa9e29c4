import { chargeOrder } from '#functions/payments/charge-order.ts';
import { chargePayment } from '#functions/payments/charge-payment.usecase.ts';
import { openMethod, sealMethod } from '#functions/payments/instrument.ts';
import type { PaymentMethodBody } from '#functions/payments/payments.schema.ts';
import { routeOf, sendOff } from '#functions/payments/plan-payment.ts';
import { refuseUnknown } from '#functions/payments/refuse-unknown.ts';
import { currentAttempt, settle } from '#shared/domain/attempt.machine.ts';
import { advance } from '#shared/domain/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { PspRefused } from '#shared/ports/psp.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

type Input = { readonly id: string; readonly payment_method?: PaymentMethodBody; readonly input?: Readonly<Record<string, string | number | boolean>> };

/** Sends an intent to its PSP, or goes on after what the customer was asked for. */
export async function confirmPayment(input: Input, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, input.id), `No payment ${input.id}.`);
  const begun = currentAttempt(payment);
  if (begun && begunBy(caller, payment, begun)) return chargePayment(payment, caller.operation, true, await caller.setup(), deps);
  if (payment.status === 'created') return confirmIntent(payment, input, caller, deps);
  refuseUnknown(payment);
  if (payment.status !== 'requires_action' || !begun) throw new AppError('payment_not_confirmable', `A ${payment.status} payment can't be confirmed.`);
  return goOn(payment, begun, input.input ?? {}, deps);
}

/** Whether an earlier run of this very operation, which died, started the attempt. */
export const begunBy = ({ operation }: Caller, payment: Payment, attempt: Attempt): boolean =>
  operation.resumed && payment.attempts.some((a, n) => a.id === attempt.id && a.id === operationId(operation, 'attempt', n));

async function confirmIntent(payment: Payment, input: Input, caller: Caller, deps: Deps): Promise<Payment> {
  const setup = await caller.setup();
  const given = input.payment_method;
  if (given && given.type !== payment.method) throw mismatch;
  const armed = given ? { sealed_method: await sealMethod(given, payment, deps), return_url: given.return_url ?? payment.return_url } : {};
  const instrument = given ?? (await openMethod(payment, deps));
  const route = routeOf(payment, setup, instrument, deps.psp);
  const started = await deps.payments.change(payment, (p) => {
    if (p.status !== 'created') advance(p, 'start', deps.clock.now());
    return sendOff({ ...p, ...armed }, route, caller.operation, 'start', deps.clock.now());
  });
  return chargePayment(started, caller.operation, false, setup, deps);
}

export const mismatch = new AppError('invalid_request', 'The request is invalid; see details.fields.', {
  details: { fields: [{ path: 'payment_method.type', message: 'This must equal the payment’s method.' }] },
});

async function goOn(payment: Payment, attempt: Attempt, input: NonNullable<Input['input']>, deps: Deps): Promise<Payment> {
  const { verdict } = await hearAnswer(async () => {
    const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
    if (!connection || attempt.psp_reference === null) throw new PspRefused('not_found', 'The charge is out of reach.');
    const [session, order] = await Promise.all([deps.psp.open(connection, deps.pspDeadline()), chargeOrder(payment, attempt, deps)]);
    return session.confirm(attempt.psp_reference, order, input);
  }, deps.log);
  return deps.payments.change(payment, (p) => settle(p, attempt.id, verdict, deps.clock.now()));
}
