import { refusePaymentBeyond } from '#shared/domain/accounts/plan.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import { Answer } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PaymentClaim } from '#shared/ports/payments.port.ts';
import { chargePayment } from '#shared/services/payments/charge-payment.service.ts';
import { sealMethod } from '#shared/services/payments/instrument.service.ts';
import { decideRouting, dispatch, draftPayment } from '#shared/services/payments/plan-payment.service.ts';

/**
 * Creates and processes. The payment is written with its attempt before the PSP is called, and that write claims the
 * idempotency key: after a crash at any later point the next request with the key finds the payment and goes on.
 */
export async function createPayment(input: CreatePaymentInput, caller: Caller, deps: Deps): Promise<Answer<Payment>> {
  const setup = await caller.setup();
  const claim = await deps.payments.claim(ticketOf(caller), deps.clock.now(), async (operation) => {
    refusePaymentBeyond(setup, deps.config.stage, operation.at);
    const draft = draftPayment(input, caller, operation, { mode: deps.config.stage, intent: false });
    const sealed = { ...draft, sealed_method: await sealMethod(input.payment_method, draft, deps) };
    const instrument = input.payment_method ?? { type: draft.method };
    return dispatch(sealed, decideRouting(sealed, setup, instrument, deps), operation, 'start', operation.at);
  });
  const claimed = mine(claim);
  if (claimed.state === 'answered')
    return new Answer(await deps.payments.answered(claimed.payment), {
      replayed: true,
      location: locationOf(claimed.payment),
    });
  const payment = await chargePayment(claimed.payment, claimed.operation, claimed.state === 'taken_over', setup, deps);
  return new Answer(await deps.payments.answered(payment), { location: locationOf(payment) });
}

export const locationOf = (payment: Payment): string => `/v1/payments/${payment.id}`;

export function ticketOf({ ticket }: Caller): NonNullable<Caller['ticket']> {
  if (!ticket)
    throw new AppError('idempotency_key_required', 'Send an Idempotency-Key: any text that is new for each operation.');
  return ticket;
}

/** Refuses a key whose first request is still running, or was another request. */
export function mine(claim: PaymentClaim): Exclude<PaymentClaim, { state: 'running' | 'reused' }> {
  if (claim.state === 'reused')
    throw new AppError('idempotency_key_reused', 'This idempotency key was used for another request. Use a new key.');
  if (claim.state === 'running')
    throw new AppError(
      'idempotency_in_progress',
      'The first request with this idempotency key is still running.',
      claim,
    );
  return claim;
}
