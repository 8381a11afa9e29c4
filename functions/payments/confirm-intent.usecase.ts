import { type ConfirmInput, confirmPayment } from '#functions/payments/confirm-payment.usecase.ts';
import { clientSecret } from '#functions/payments/create-intent.usecase.ts';
import { toldToCustomer } from '#shared/domain/payments/customer-failure.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sameText } from '#shared/kernel/same-text.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Input = ConfirmInput & { readonly client_secret: string };

/**
 * `confirm` from the customer's browser. The public key is known to everyone: it is the client secret that opens this
 * one payment. A wrong one is answered like a payment that does not exist, before anything is read.
 */
export async function confirmIntent({ client_secret, ...input }: Input, caller: Caller, deps: Deps): Promise<Payment> {
  if (!sameText(client_secret, clientSecret(input.id, deps.config)))
    throw new AppError('not_found', 'There is no such payment.');
  const payment = await confirmPayment(input, caller, deps);
  return { ...payment, failure: payment.failure && toldToCustomer(payment.failure) };
}
