import * as z from 'zod';
import { type ChargeOrder, PspNotSent, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { METHOD_TYPES, SAVED_METHODS } from '#shared/psp/mollie/capabilities.ts';
import { type MollieContext, requestOrThrow } from '#shared/psp/mollie/client.ts';
import { MollieToken } from '#shared/psp/mollie/tokens.rules.ts';

const Customer = z.looseObject({ resource: z.literal('customer'), id: z.string().regex(/^cst_\w{1,100}$/) });

const Methods = z.looseObject({ _embedded: z.looseObject({ methods: z.array(z.looseObject({ id: z.string() })) }) });

/**
 * The customer whose mandate the charge makes; undefined if it makes none. That a method cannot be saved, or that one
 * of the calls fails, is no reason to lose the charge: then it is made without a mandate. A customer without mandates,
 * left by a worker that died, is harmless.
 */
export async function customerToSave(order: ChargeOrder, psp: MollieContext): Promise<string | undefined> {
  const { save, method, offSession, capture } = order;
  // UNVERIFIED whether a first payment can be captured later.
  if (!save || offSession || capture === 'manual' || !SAVED_METHODS.includes(method)) return undefined;
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  try {
    const isEnabled = await savesEach(order, purpose, psp);
    return isEnabled ? (knownCustomer(order) ?? (await createCustomer(order, purpose, psp))) : undefined;
  } catch (error) {
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown || error instanceof PspRefused)
      return undefined;
    throw error;
  }
}

function knownCustomer({ paymentMethod }: ChargeOrder): string | undefined {
  const { data: token } = MollieToken.safeParse(paymentMethod.token);
  return typeof token === 'object' ? token.customer : undefined;
}

/** Mollie refuses a first payment with a method that the account cannot charge again, so it is asked before. */
async function savesEach({ method }: ChargeOrder, purpose: RequestPurpose, psp: MollieContext): Promise<boolean> {
  const path = '/methods?sequenceType=first&includeWallets=applepay';
  const { data } = Methods.safeParse(await requestOrThrow({ ...purpose, path }, psp));
  const enabled = new Set(data?._embedded.methods.map(({ id }) => id));
  return [METHOD_TYPES[method] ?? []].flat().every((type) => enabled.has(type));
}

/** Mollie finds no customer by our name for them. Its key makes one customer of the payments of an hour. */
async function createCustomer(
  { save, metadata }: ChargeOrder,
  purpose: RequestPurpose,
  psp: MollieContext,
): Promise<string | undefined> {
  const idempotencyKey = `customer-${metadata.connection_id}-${save?.customer}`;
  const body = { metadata: { customer: save?.customer } };
  const response = await requestOrThrow({ ...purpose, method: 'POST', path: '/customers', body, idempotencyKey }, psp);
  return Customer.safeParse(response).data?.id;
}
