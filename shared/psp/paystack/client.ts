import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, safeCode, throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import type { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { ACCOUNT_ERRORS } from '#shared/psp/paystack/declines.catalog.ts';
import { Envelope, Transaction } from '#shared/psp/paystack/schema.ts';

export type PaystackContext = PspContext<PaystackCredentials>;

/** `body` makes it a POST, if no method is given. */
type PaystackCall = RequestPurpose & {
  readonly path: string;
  readonly method?: 'POST' | 'PUT';
  readonly body?: Readonly<Record<string, unknown>>;
};

export async function sendRequest(
  { operation, paymentId, path, body, method = 'POST' }: PaystackCall,
  { credentials, send, now }: PaystackContext,
): Promise<PaystackResponse> {
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const sending = body ? ({ method, body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readResponse(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** The response's data. Every refusal is thrown. */
export async function requestOrThrow(call: PaystackCall, psp: PaystackContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response.status, response.error);
  return response.data;
}

export type PaystackResponse =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly status: number; readonly error: Envelope };

/** Passes on only words that look like Paystack's codes, never text from a message. */
export const codeOf = (code: string | null | undefined): string | null => safeCode(code, /^[a-z][a-z_]{1,63}$/);

/** Paystack or its processor failed on the way. A transaction may have been made. */
const UNCERTAIN = new Set(['api_error', 'processor_error', 'unknown']);

/** A transaction beside the error, which says what became of it. */
const isTransaction = (data: unknown): boolean => Transaction.safeParse(data).data?.status !== undefined;

/** Statuses that are certain, whatever the body says. */
const CERTAIN_STATUSES = new Set([401, 403, 404]);

/** Sorts a response into its data or a readable refusal. Anything else throws. */
function readResponse(response: PspResponse, now: Date): PaystackResponse {
  throwIfUnavailable(response, now);
  const { status } = response;
  const envelope = Envelope.safeParse(parseJson(response));
  if (!envelope.success) throw new PspOutcomeUnknown(`Paystack's response (HTTP ${status}) is not understood.`);
  const error = envelope.data;
  if (status === 200 || status === 201) {
    if (error.status) return { ok: true, data: error.data };
  } else if (status >= 400 && !error.status && status !== 408 && status !== 409) {
    const isUncertain = UNCERTAIN.has(error.type ?? '') || UNCERTAIN.has(error.code ?? '');
    if (CERTAIN_STATUSES.has(status) || !isUncertain || isTransaction(error.data)) return { ok: false, status, error };
  }
  throw new PspOutcomeUnknown(`Paystack reports no result (HTTP ${status}, ${codeOf(error.code) ?? 'no code'}).`);
}

/** Paystack has a transaction with this reference: ours, from a call whose response was lost. */
export const isDuplicate = ({ code, message }: Envelope): boolean =>
  code === 'duplicate_reference' || /duplicate (transaction (reference|id)|charge request)/i.test(message ?? '');

/** Paystack says "not found" and "invalid key" under 400 too. */
function kindOf(status: number, { code, message }: Envelope): PspRefused['kind'] {
  if (status === 401 || status === 403 || /^invalid key/i.test(message ?? '')) return 'credentials';
  if (status === 404 || /not_found$/.test(code ?? '') || /not found/i.test(message ?? '')) return 'not_found';
  return ACCOUNT_ERRORS.test(message ?? '') ? 'account' : 'request';
}

/**
 * Our request or the account's configuration is wrong. Paystack's message is not passed on, as it quotes the request.
 */
export function refusal(status: number, error: Envelope): PspRefused {
  const code = codeOf(error.code);
  return new PspRefused(
    kindOf(status, error),
    `Paystack refused the request (HTTP ${status}, ${code ?? 'no code'}).`,
    code,
  );
}
