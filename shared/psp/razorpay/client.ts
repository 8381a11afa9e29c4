import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import type { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';
import { codeOf, isUnknownId } from '#shared/psp/razorpay/declines.catalog.ts';
import { ErrorResponse, type RazorpayError } from '#shared/psp/razorpay/schema.ts';

export type RazorpayContext = PspContext<RazorpayCredentials>;

type RazorpayCall = ChargePurpose & {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly refundKey?: string;
};

export async function sendRequest(
  call: RazorpayCall,
  { credentials, send, now }: RazorpayContext,
): Promise<RazorpayResponse> {
  const { operation, path, paymentId, body, refundKey } = call;
  const headers = {
    authorization: `Basic ${Buffer.from(`${credentials.key_id}:${credentials.key_secret}`).toString('base64')}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(refundKey && { 'x-refund-idempotency': refundKey }),
  };
  const sending = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readResponse(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** The response's object. Every refusal is thrown. */
export async function requestOrThrow(call: RazorpayCall, psp: RazorpayContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response);
  return response.body;
}

/** A look-up after a call that may have charged. If the look-up fails, the outcome is unknown. */
export async function lookUpAfterSending<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    throw new PspOutcomeUnknown('The charge could not be looked up at Razorpay.', { cause });
  }
}

export type RefusedResponse = { readonly ok: false; readonly status: number; readonly error: RazorpayError };

type RazorpayResponse = { readonly ok: true; readonly body: unknown } | RefusedResponse;

/**
 * Sorts a response into an object or a readable refusal. Anything else throws. A 409 means that the same call is still
 * running.
 */
function readResponse(response: PspResponse, now: Date): RazorpayResponse {
  throwIfUnavailable(response, now);
  const body = parseJson(response);
  if (response.status === 200) return { ok: true, body };
  const parsed = ErrorResponse.safeParse(body);
  if (!parsed.success || response.status < 400)
    throw new PspOutcomeUnknown(`Razorpay's response (HTTP ${response.status}) is not understood.`);
  if (response.status === 409) throw new PspOutcomeUnknown('Razorpay is still busy with the same call.');
  return { ok: false, status: response.status, error: parsed.data.error };
}

const KIND_BY_STATUS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/**
 * What only a refusal's words tell, whatever its status is. Razorpay's documents give 400 and 4xx for a wrong key; a call
 * that is not enabled for the account has an unknown address.
 */
const KIND_BY_WORDS: readonly (readonly [RegExp, PspRefused['kind']])[] = [
  [/\bapi (key|secret|key\/secret)\b.{0,20}\binvalid\b|^authentication failed\.?$/i, 'credentials'],
  [/requested url was not found|merchant is suspended|live mode is disabled/i, 'account'],
];

/**
 * Our request or the account's configuration is wrong. Razorpay's message is not passed on, as it may quote the
 * request.
 */
export function refusal(refused: RefusedResponse): PspRefused {
  const { status, error } = refused;
  const code = codeOf(error.reason) ?? codeOf(error.code);
  const [, byWords] = KIND_BY_WORDS.find(([words]) => words.test(error.description ?? '')) ?? [];
  const kind = byWords ?? KIND_BY_STATUS[status] ?? (isUnknownId(refused) ? 'not_found' : 'request');
  return new PspRefused(kind, `Razorpay refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}

/** The payment of a refusal, if one was started. */
export const paymentIn = ({ error }: RefusedResponse): string | undefined => {
  const id = error.metadata?.payment_id;
  return id !== undefined && /^pay_[A-Za-z0-9]{1,40}$/.test(id) ? id : undefined;
};
