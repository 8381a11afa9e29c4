import type { PspContext } from '#shared/ports/psp.port.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { type CheckoutAnswer, readAnswer, refusal } from '#shared/psp/checkout/error.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

export type CheckoutContext = PspContext<CheckoutCredentials>;

type Call = Purpose & {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: object;
  readonly idempotencyKey?: string;
};

export async function ask(call: Call, { credentials, send, now }: CheckoutContext): Promise<CheckoutAnswer> {
  const { operation, paymentId, path, body, idempotencyKey } = call;
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'cko-idempotency-key': idempotencyKey }),
  };
  const sending = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readAnswer(
    await send({ operation, paymentId, path, headers, hostPrefix: credentials.host_prefix, ...sending }),
    now(),
  );
}

/** The object; every refusal is thrown. */
export async function get(call: Purpose & { readonly path: string }, psp: CheckoutContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer.status, answer.codes);
  return answer.body;
}

export const paymentPath = (id: string): string => `/payments/${encodeURIComponent(id)}`;
