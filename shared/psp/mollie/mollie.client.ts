import type { PspContext } from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import type { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';
import { type MollieAnswer, readAnswer, refusal } from '#shared/psp/mollie/error.rules.ts';

export type MollieContext = PspContext<MollieCredentials>;

export type MollieCall = Purpose & {
  /** Below `/v2`. */
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: Readonly<Record<string, unknown>>;
  /** Mollie advises UUIDs and takes any text; its own libraries send other forms too. */
  readonly idempotencyKey?: string;
};

export async function ask(call: MollieCall, { credentials, send, now }: MollieContext): Promise<MollieAnswer> {
  const { operation, paymentId, path, method = 'GET', body, idempotencyKey } = call;
  const headers = {
    authorization: `Bearer ${credentials.api_key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  return readAnswer(
    await send({
      operation,
      paymentId,
      method,
      path: `/v2${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }),
    now(),
  );
}

/** The object asked for; every refusal is thrown. */
export async function get(call: MollieCall, psp: MollieContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  return answer.body;
}

export const paymentPath = (id: string): string => `/payments/${encodeURIComponent(id)}`;
