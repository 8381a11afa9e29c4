import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { isAccountError } from '#shared/psp/checkout/declines.catalog.ts';
import { ErrorResponse } from '#shared/psp/checkout/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, throwIfUnavailable } from '#shared/psp/kit/responses.ts';

export type CheckoutContext = PspContext<CheckoutCredentials>;

type Call = RequestPurpose & {
  readonly path: string;
  /** Default: a POST if there is a body, else a GET. */
  readonly method?: 'POST' | 'PUT';
  readonly body?: object;
  readonly idempotencyKey?: string;
};

export async function sendRequest(call: Call, { credentials, send, now }: CheckoutContext): Promise<CheckoutResponse> {
  const {
    operation,
    paymentId,
    path,
    body,
    idempotencyKey,
    method = body ? ('POST' as const) : ('GET' as const),
  } = call;
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'cko-idempotency-key': idempotencyKey }),
  };
  const sending = { method, ...(body && { body: JSON.stringify(body) }) } as const;
  return readResponse(
    await send({ operation, paymentId, path, headers, hostPrefix: credentials.host_prefix, ...sending }),
    now(),
  );
}

/** The response's object. Every refusal is thrown. */
export async function requestOrThrow(call: Call, psp: CheckoutContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response.status, response.codes);
  return response.body;
}

export const paymentPath = (id: string): string => `/payments/${encodeURIComponent(id)}`;

type CheckoutResponse =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly codes: readonly string[] };

/** Statuses that are complete without a body; Checkout.com sends none. */
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([401, 403, 404]);

const SUCCESS_STATUSES: ReadonlySet<number> = new Set([200, 201, 202]);

/**
 * Sorts a response into an object or a readable refusal. Anything else throws. A call whose key another call is using
 * is refused with a 409, or as a duplicate with a 429 (which one is not documented): neither tells the other call's
 * result.
 */
function readResponse(response: PspResponse, now: Date): CheckoutResponse {
  const { status, text } = response;
  if (status === 409 || (status === 429 && text.includes('duplicate')))
    throw new PspOutcomeUnknown(`Another call is under way (HTTP ${status}).`);
  throwIfUnavailable(response, now);
  if (status === 204) return { ok: true, body: undefined };
  if (STATUSES_WITHOUT_BODY.has(status)) return { ok: false, status, codes: [] };
  const body = parseJson(response);
  if (SUCCESS_STATUSES.has(status)) return { ok: true, body };
  const error = ErrorResponse.safeParse(body);
  if (!error.success || status < 400)
    throw new PspOutcomeUnknown(`Checkout.com's response (HTTP ${status}) is not understood.`);
  return { ok: false, status, codes: codesOf(error.data) };
}

/** Passes on only words that look like codes, never text from a message, and no digits of a card or a phone. */
function codesOf({
  error_codes,
  error_type,
}: {
  readonly error_codes?: unknown;
  readonly error_type?: unknown;
}): readonly string[] {
  const codes: readonly unknown[] = Array.isArray(error_codes) ? error_codes : [];
  return [...codes, error_type]
    .filter((code) => typeof code === 'string')
    .filter((code) => /^[a-z0-9_]{1,64}$/.test(code) && !/\d{9}/.test(code));
}

const KIND_BY_STATUS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Our request or the account's configuration is wrong. `forbidden`: what a 403 means to this call. */
export function refusal(
  status: number,
  codes: readonly string[],
  forbidden: PspRefused['kind'] = 'credentials',
): PspRefused {
  const [code = null] = codes;
  const kind =
    status === 403 ? forbidden : (KIND_BY_STATUS[status] ?? (codes.some(isAccountError) ? 'account' : 'request'));
  return new PspRefused(kind, `Checkout.com refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}
