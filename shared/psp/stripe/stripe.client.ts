import type { PspContext } from '#shared/ports/psp.port.ts';
import { type FormValue, form } from '#shared/psp/kit/form.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import type { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';
import { readAnswer, refusal, type StripeAnswer } from '#shared/psp/stripe/error.rules.ts';

/** The API version that this code reads; without it the account's default would apply. */
const STRIPE_VERSION = '2026-10-28.endive';

export type StripeContext = PspContext<StripeCredentials>;

type StripeCall = ChargePurpose & {
  readonly path: string;
  /** Makes it a POST. */
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

/** The object; every refusal is thrown. */
export async function get(call: StripeCall, psp: StripeContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  return answer.body;
}
