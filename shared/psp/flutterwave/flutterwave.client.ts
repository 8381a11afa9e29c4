import type { PspContext } from '#shared/ports/psp.port.ts';
import type { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { type FlutterwaveAnswer, readAnswer, refusal } from '#shared/psp/flutterwave/error.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

export type FlutterwaveContext = PspContext<FlutterwaveCredentials>;

type FlutterwaveCall = Purpose & {
  readonly path: string;
  /** A POST when given. */
  readonly body?: object;
};

export async function ask(
  { operation, paymentId, path, body }: FlutterwaveCall,
  { credentials, send, now }: FlutterwaveContext,
): Promise<FlutterwaveAnswer> {
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const sending = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readAnswer(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** What was asked for; every refusal is thrown. */
export async function get(
  call: FlutterwaveCall,
  psp: FlutterwaveContext,
): Promise<Extract<FlutterwaveAnswer, { ok: true }>> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer);
  return answer;
}
