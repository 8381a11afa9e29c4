import type { PspContext, PspOperation } from '#shared/ports/psp.port.ts';
import { type FormValue, form } from '#shared/psp/kit/form.ts';
import type { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';
import { readAnswer, refusal, type StripeAnswer } from '#shared/psp/stripe/error.rules.ts';

/** Pinned with the code that reads the answers; without it the account's own default would decide. */
const STRIPE_VERSION = '2026-10-28.endive';

export type StripeContext = PspContext<StripeCredentials>;

/** Which of our calls a request belongs to. */
export type Purpose = {
  readonly operation: PspOperation;
  readonly paymentId: string | null;
  /** False where the payment has ended meanwhile: what is only authorized is left so. */
  readonly wanted?: boolean;
};

export type StripeCall = Purpose & {
  readonly path: string;
  /** A POST when given. */
  readonly params?: { readonly [name: string]: FormValue };
  readonly idempotencyKey?: string;
};

export async function ask(call: StripeCall, { credentials, send, now }: StripeContext): Promise<StripeAnswer> {
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    'stripe-version': STRIPE_VERSION,
    ...(credentials.account && { 'stripe-account': credentials.account }),
    ...(call.params && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
  };
  const { operation, path, paymentId } = call;
  const sending = call.params ? ({ method: 'POST', body: form(call.params) } as const) : ({ method: 'GET' } as const);
  return readAnswer(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** The object asked for; every refusal is thrown. */
export async function get(call: StripeCall, psp: StripeContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  return answer.body;
}
