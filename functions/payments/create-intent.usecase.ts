import { locationOf, mine, ticketOf } from '#functions/payments/create-payment.usecase.ts';
import { refusePaymentBeyond } from '#shared/domain/accounts/plan.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import { Answer } from '#shared/http/route.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { sealMethod } from '#shared/services/payments/instrument.service.ts';
import { draftPayment } from '#shared/services/payments/plan-payment.service.ts';

export type Intent = Payment & { readonly client_secret: string };

/** A payment that waits for its confirmation; no PSP is called until then. */
export async function createIntent(input: CreatePaymentInput, caller: Caller, deps: Deps): Promise<Answer<Intent>> {
  const setup = await caller.setup();
  const claim = await deps.payments.claim(ticketOf(caller), deps.clock.now(), async (operation) => {
    refusePaymentBeyond(setup, deps.config.stage, operation.at);
    const draft = draftPayment(input, caller, operation, { mode: deps.config.stage, intent: true });
    return { ...draft, sealed_method: await sealMethod(input.payment_method, draft, deps) };
  });
  const { payment, state } = mine(claim);
  const answered = await deps.payments.answered(payment);
  return new Answer(
    { ...answered, client_secret: clientSecret(answered.id, deps.config) },
    { replayed: state === 'answered', location: locationOf(payment) },
  );
}

/** Derived and stored nowhere: its holder may confirm this payment, and nothing else. */
export const clientSecret = (paymentId: string, { hashSecret }: Deps['config']): string =>
  `${paymentId}_secret_${keyedHash(hashSecret, 'client_secret', paymentId).toString('base64url')}`;
