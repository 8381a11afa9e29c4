import type { PspContext } from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import type { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { type PaystackAnswer, readAnswer, refusal } from '#shared/psp/paystack/error.rules.ts';

export type PaystackContext = PspContext<PaystackCredentials>;

/** Makes it a POST. */
type PaystackCall = Purpose & { readonly path: string; readonly body?: Readonly<Record<string, unknown>> };

export async function ask(
  { operation, paymentId, path, body }: PaystackCall,
  { credentials, send, now }: PaystackContext,
): Promise<PaystackAnswer> {
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const sending = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readAnswer(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** The data; every refusal is thrown. */
export async function get(call: PaystackCall, psp: PaystackContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  return answer.data;
}
