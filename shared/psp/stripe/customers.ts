import { type ChargeOrder, PspNotSent, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import { type StripeContext, sendRequest } from '#shared/psp/stripe/client.ts';
import { isKept } from '#shared/psp/stripe/details.rules.ts';
import { readCustomer } from '#shared/psp/stripe/schema.ts';
import { customerOfToken } from '#shared/psp/stripe/tokens.rules.ts';

/**
 * The customer that a kept method is attached to: that of the token, or a new one. Stripe knows keys for a day only, so
 * that each charge that keeps a method has a customer of its own: a repeat of the charge then names the same one.
 * Undefined if Stripe refuses it: the charge goes on without keeping the method.
 */
export async function customerFor(
  order: ChargeOrder,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<string | undefined> {
  if (!isKept(order)) return undefined;
  return customerOfToken(order.paymentMethod.token) ?? createCustomer(order, purpose, psp);
}

async function createCustomer(
  { attemptId, customerEmail, save, metadata }: ChargeOrder,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<string | undefined> {
  const params = { email: customerEmail, metadata: { org_id: metadata.org_id, customer: save?.customer } };
  const call = { ...purpose, path: '/v1/customers', params, idempotencyKey: `${attemptId}-customer` };
  try {
    const response = await sendRequest(call, psp);
    return response.ok ? readCustomer(response.body).id : undefined;
  } catch (error) {
    // The charge itself was not sent, whatever became of the customer.
    if (error instanceof PspOutcomeUnknown)
      throw new PspNotSent('unreachable', 'Stripe did not create the customer.', { cause: error });
    throw error;
  }
}
