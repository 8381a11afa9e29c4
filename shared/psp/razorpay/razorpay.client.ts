import { type PspContext, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import type { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';
import { type RazorpayAnswer, readAnswer, refusal } from '#shared/psp/razorpay/error.rules.ts';

export type RazorpayContext = PspContext<RazorpayCredentials>;

type RazorpayCall = ChargePurpose & {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly refundKey?: string;
};

export async function ask(call: RazorpayCall, { credentials, send, now }: RazorpayContext): Promise<RazorpayAnswer> {
  const { operation, path, paymentId, body, refundKey } = call;
  const headers = {
    authorization: `Basic ${Buffer.from(`${credentials.key_id}:${credentials.key_secret}`).toString('base64')}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(refundKey && { 'x-refund-idempotency': refundKey }),
  };
  const sending = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readAnswer(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** The object; every refusal is thrown. */
export async function get(call: RazorpayCall, psp: RazorpayContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer);
  return answer.body;
}

/** A look-up after a call that may have had an effect: if it fails, the effect stays. */
export async function afterSending<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    throw new PspOutcomeUnknown('Razorpay could not be asked how the charge stands.', { cause });
  }
}
