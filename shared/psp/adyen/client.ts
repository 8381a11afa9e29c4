import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { leavesOpen } from '#shared/psp/adyen/declines.catalog.ts';
import { ErrorResponse, ModificationResponse, readObject } from '#shared/psp/adyen/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, safeCode, throwIfUnavailable } from '#shared/psp/kit/responses.ts';

export type AdyenContext = PspContext<AdyenCredentials>;

type AdyenCall = RequestPurpose & {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly host?: string;
  readonly params?: object;
  readonly idempotencyKey?: string;
};

/** The Checkout API has a host per account. Other APIs pass their own. */
export async function sendRequest(call: AdyenCall, { credentials, send, now }: AdyenContext): Promise<AdyenResponse> {
  const { operation, paymentId, path, host, params, method = params ? 'POST' : 'GET' } = call;
  const headers = {
    'x-api-key': credentials.api_key,
    ...(params && { 'content-type': 'application/json' }),
    ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
  };
  const hostFields = host === undefined ? { hostPrefix: credentials.live_endpoint_url_prefix } : { host };
  const body = params && JSON.stringify(params);
  return readResponse(
    await send({ operation, method, path, paymentId, headers, ...definedOnly(hostFields), ...(body && { body }) }),
    now(),
  );
}

const definedOnly = ({ host, hostPrefix }: { readonly host?: string; readonly hostPrefix?: string | undefined }) => ({
  ...(host !== undefined && { host }),
  ...(hostPrefix !== undefined && { hostPrefix }),
});

export type AdyenError = { readonly status: number; readonly code: string | null; readonly type: string | null };

type AdyenResponse = { readonly ok: true; readonly body: unknown } | ({ readonly ok: false } & AdyenError);

/** Passes on only what looks like Adyen's codes, never text from a message. */
const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[A-Za-z0-9_]{1,32}$/);

/**
 * Error types of requests that Adyen refused before doing anything. `internal`, or an unknown type, says nothing.
 */
const REFUSAL_TYPES = new Set(['validation', 'configuration', 'security']);

/**
 * Sorts a response into an object or a readable refusal. Anything else throws. UNVERIFIED against a live account: 704,
 * and the header `transient-error` for "repeat with the same key". Each leaves the outcome unknown.
 */
function readResponse(response: PspResponse, now: Date): AdyenResponse {
  const acquirerFault = response.status === 500 ? missingAcquirer(response.text) : undefined;
  if (acquirerFault) return { ok: false, status: 500, code: acquirerFault, type: 'configuration' };
  throwIfUnavailable(response, now);
  const body = parseJson(response);
  if (response.status === 200 || response.status === 201) return { ok: true, body };
  const error = ErrorResponse.safeParse(body);
  if (!error.success || response.status < 400)
    throw new PspOutcomeUnknown(`Adyen's response (HTTP ${response.status}) is not understood.`);
  const code = codeOf(error.data.errorCode);
  const transient = response.headers['transient-error'] === 'true' || response.status === 409 || leavesOpen(code);
  if (transient)
    throw new PspOutcomeUnknown(`Adyen reports no result (HTTP ${response.status}, ${code ?? 'no code'}).`);
  const isAccessDenied = response.status === 401 || response.status === 403;
  if (!isAccessDenied && !REFUSAL_TYPES.has(error.data.errorType ?? ''))
    throw new PspOutcomeUnknown(`Adyen's refusal (HTTP ${response.status}) has no known reason.`);
  return { ok: false, status: response.status, code, type: error.data.errorType ?? null };
}

/** A 500 that is certain all the same: there was no acquirer to send the charge to. Returns its code. */
function missingAcquirer(text: string): string | undefined {
  const { data: error } = ErrorResponse.safeParse(parseOrUndefined(text));
  const code = error?.errorCode ?? '';
  return error?.errorType === 'configuration' && /^(905(_\d)?|907)$/.test(code) ? code : undefined;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const KIND_BY_STATUS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Adyen's message is not passed on, as it quotes the request. */
const refusedAs = (kind: PspRefused['kind'], { status, code }: AdyenError): PspRefused =>
  new PspRefused(kind, `Adyen refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);

/** Our request, the key or its permissions are wrong. */
export const refusal = (error: AdyenError): PspRefused =>
  refusedAs(KIND_BY_STATUS[error.status] ?? (error.type === 'security' ? 'account' : 'request'), error);

/** "Original pspReference required": there is no such payment. */
const PAYMENT_NOT_FOUND = '167';

/** A modification that Adyen does not start: there is no such payment, or its state forbids it. */
export const modificationRefusal = (error: AdyenError): PspRefused =>
  refusedAs(KIND_BY_STATUS[error.status] ?? (error.code === PAYMENT_NOT_FOUND ? 'not_found' : 'state'), error);

export const modificationPath = (pspReference: string, what: string): string =>
  `/v72/payments/${encodeURIComponent(pspReference)}/${what}`;

/** The reference of an accepted modification. A notification reports its result. */
export function acceptedReference(response: AdyenResponse): string {
  if (!response.ok) throw modificationRefusal(response);
  return readObject(ModificationResponse, 'modification', response.body).pspReference;
}
