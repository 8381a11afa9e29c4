import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import type { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';
import { MollieError } from '#shared/psp/mollie/schema.ts';

export type MollieContext = PspContext<MollieCredentials>;

export type MollieCall = RequestPurpose & {
  /** Below `/v2`. */
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: Readonly<Record<string, unknown>>;
  /** Mollie advises UUIDs and takes any text; its own libraries send other forms too. */
  readonly idempotencyKey?: string;
};

export async function sendRequest(
  call: MollieCall,
  { credentials, send, now }: MollieContext,
): Promise<MollieResponse> {
  const { operation, paymentId, path, method = 'GET', body, idempotencyKey } = call;
  const headers = {
    authorization: `Bearer ${credentials.api_key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  return readResponse(
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

/** The response's object. Every refusal is thrown. */
export async function requestOrThrow(call: MollieCall, psp: MollieContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response.status, response.error);
  return response.body;
}

export const paymentPath = (id: string): string => `/payments/${encodeURIComponent(id)}`;

export const releasePath = (id: string): string => `${paymentPath(id)}/release-authorization`;

type MollieResponse =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly error: MollieError };

/**
 * Sorts a response into an object or a readable refusal. Anything else throws. A 408 says nothing, and a 409 is Mollie's
 * duplicate guard: there was such a call, with unknown result. A 503 (the method's supplier is unavailable) counts as any other 5xx.
 */
function readResponse(response: PspResponse, now: Date): MollieResponse {
  throwIfUnavailable(response, now);
  // Accepted, and done later. There is no body to read.
  if (response.status === 202) return { ok: true, body: null };
  const body = parseJson(response);
  if (response.status === 200 || response.status === 201) return { ok: true, body };
  const parsed = MollieError.safeParse(body);
  if (!parsed.success || response.status < 400)
    throw new PspOutcomeUnknown(`Mollie's response (HTTP ${response.status}) is not understood.`);
  if (response.status === 408) throw new PspOutcomeUnknown('Mollie took too long for this call.');
  if (response.status === 409) throw new PspOutcomeUnknown('Mollie received the same call a moment ago.');
  return { ok: false, status: response.status, error: parsed.data };
}

const KIND_BY_STATUS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Mollie has no error codes, only sentences. They are not passed on, as they quote the request. */
export function refusal(status: number, { field }: MollieError): PspRefused {
  const where = /^[A-Za-z0-9_.[\]]{1,80}$/.test(field ?? '') ? `, ${field}` : '';
  return new PspRefused(KIND_BY_STATUS[status] ?? 'request', `Mollie refused the request (HTTP ${status}${where}).`);
}
