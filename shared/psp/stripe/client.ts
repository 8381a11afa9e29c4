import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import { type ChargePurpose, type FormValue, formBody } from '#shared/psp/kit/requests.ts';
import { parseJson, throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import type { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';
import { ACCOUNT_ERRORS, codeOf } from '#shared/psp/stripe/declines.catalog.ts';
import { ErrorResponse, type StripeError } from '#shared/psp/stripe/schema.ts';

/** The API version that this code reads; without it the account's default would apply. */
const STRIPE_VERSION = '2026-10-28.endive';

export type StripeContext = PspContext<StripeCredentials>;

type StripeCall = ChargePurpose & {
  readonly path: string;
  /** Makes it a POST. */
  readonly params?: { readonly [name: string]: FormValue };
  readonly idempotencyKey?: string;
};

export async function sendRequest(
  call: StripeCall,
  { credentials, send, now }: StripeContext,
): Promise<StripeResponse> {
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    'stripe-version': STRIPE_VERSION,
    ...(credentials.account && { 'stripe-account': credentials.account }),
    ...(call.params && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
  };
  const { operation, path, paymentId } = call;
  const sending = call.params
    ? ({ method: 'POST', body: formBody(call.params) } as const)
    : ({ method: 'GET' } as const);
  return readResponse(await send({ operation, path, paymentId, headers, ...sending }), now);
}

/** The response's object. Every refusal is thrown. */
export async function requestOrThrow(call: StripeCall, psp: StripeContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response.status, response.error);
  return response.body;
}

export type StripeResponse =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly error: StripeError };

const UNCERTAIN = new Set(['idempotency_error', 'api_error']);

/**
 * Sorts a response into an object or a readable refusal; anything else throws. A 409 means that the first call with
 * this key is still running, an `idempotency_error` that an earlier call had other parameters: neither says what that
 * call did.
 */
function readResponse(response: PspResponse, now: () => Date): StripeResponse {
  if (response.status === 429 && isLocked(response))
    throw new PspOutcomeUnknown('Stripe is still busy with this object.');
  if (response.status !== 200) throwIfUnavailable(response, now());
  const body = parseJson(response);
  if (response.status === 200) return { ok: true, body };
  const parsed = ErrorResponse.safeParse(body);
  if (!parsed.success || response.status < 400)
    throw new PspOutcomeUnknown(`Stripe's response (HTTP ${response.status}) is not understood.`);
  const { error } = parsed.data;
  if (response.status === 409 || UNCERTAIN.has(error.type))
    throw new PspOutcomeUnknown(`Stripe reports no result (${codeOf(error.code) ?? codeOf(error.type)}).`);
  return { ok: false, status: response.status, error };
}

/** Another call locks the object. Unlike a rate limit, this does not say how far our call got. */
const isLocked = ({ text }: PspResponse): boolean => text.includes('lock_timeout');

const KIND_BY_STATUS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

const STATE_ERRORS = new Set([
  'payment_intent_unexpected_state',
  'intent_invalid_state',
  'charge_already_captured',
  'charge_already_refunded',
  'charge_disputed',
]);

function kindOf(code: string): PspRefused['kind'] {
  if (STATE_ERRORS.has(code)) return 'state';
  return ACCOUNT_ERRORS.has(code) ? 'account' : 'request';
}

/**
 * Our request or the account's configuration is wrong. Stripe's message is not passed on, as it quotes tokens and parts
 * of keys.
 */
export function refusal(status: number, error: StripeError): PspRefused {
  const code = codeOf(error.code) ?? codeOf(error.type);
  const kind = KIND_BY_STATUS[status] ?? kindOf(code ?? '');
  const field = /^[a-z_[\]0-9]{1,80}$/.test(error.param ?? '') ? `, ${error.param}` : '';
  return new PspRefused(kind, `Stripe refused the request (HTTP ${status}, ${code ?? 'no code'}${field}).`, code);
}
