import { type PspContext, PspOutcomeUnknown, PspRefused, type PspResponse } from '#shared/ports/psp.port.ts';
import type { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { ACCOUNT_ERRORS } from '#shared/psp/flutterwave/declines.catalog.ts';
import { Envelope } from '#shared/psp/flutterwave/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, throwIfUnavailable } from '#shared/psp/kit/responses.ts';

export type FlutterwaveContext = PspContext<FlutterwaveCredentials>;

type FlutterwaveCall = RequestPurpose & {
  readonly path: string;
  /** A POST when given, if no method is. */
  readonly body?: object;
  readonly method?: 'POST' | 'PUT';
};

export async function sendRequest(
  { operation, paymentId, path, body, method = 'POST' }: FlutterwaveCall,
  { credentials, send, now }: FlutterwaveContext,
): Promise<FlutterwaveResponse> {
  const headers = {
    authorization: `Bearer ${credentials.secret_key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const sending = body ? ({ method, body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return readResponse(await send({ operation, path, paymentId, headers, ...sending }), now());
}

/** The successful response. Every refusal is thrown. */
export async function requestOrThrow(
  call: FlutterwaveCall,
  psp: FlutterwaveContext,
): Promise<Extract<FlutterwaveResponse, { ok: true }>> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response);
  return response;
}

type ResponseContent = { readonly message: string; readonly data: unknown; readonly meta: unknown };

export type RefusedResponse = ResponseContent & { readonly ok: false; readonly status: number };

type FlutterwaveResponse = (ResponseContent & { readonly ok: true }) | RefusedResponse;

/**
 * Sorts a response into its content or a readable refusal, which may have HTTP 200. Anything else throws: a 503 after
 * half a minute says nothing about the charge.
 */
function readResponse(response: PspResponse, now: Date): FlutterwaveResponse {
  throwIfUnavailable(response, now);
  const envelope = Envelope.safeParse(parseJson(response));
  if (!envelope.success)
    throw new PspOutcomeUnknown(`Flutterwave's response (HTTP ${response.status}) is not understood.`);
  const { status, message, data, meta } = envelope.data;
  const content = { message: message ?? '', data, meta };
  const isSuccess = response.status === 200 || response.status === 201;
  if (isSuccess && status === 'success') return { ok: true, ...content };
  if ((isSuccess || response.status >= 400) && status === 'error')
    return { ok: false, status: response.status, ...content };
  throw new PspOutcomeUnknown(`Flutterwave's response (HTTP ${response.status}, ${status}) contradicts itself.`);
}

const CREDENTIALS_STATUSES: ReadonlySet<number> = new Set([401, 403]);

const NOT_FOUND_STATUSES: ReadonlySet<number> = new Set([200, 400, 404]);

const NOT_FOUND_TEXT = /\b(no (transaction|refund)s?|(transaction|refund)s? (was |were )?not found)\b/i;

export const isAboutCredentials = ({ status }: RefusedResponse): boolean => CREDENTIALS_STATUSES.has(status);

/** UNVERIFIED which status it has. Only the words count, as a wrong URL would be a 404 too. */
export const isNotFound = ({ status, message }: RefusedResponse): boolean =>
  NOT_FOUND_STATUSES.has(status) && NOT_FOUND_TEXT.test(message);

const UNCERTAIN =
  /tim(e|ed)[ _-]?out|server[ _]error|internal|unavailable|try[ _]again|temporar|in[ _]progress|duplicate/i;

const NEVER_AGAIN = /\b(do not|don't|never) try again\b/i;

/**
 * Flutterwave reports its own time-outs as 400 too. The charge may still be running. So it may after HTTP 200, or 409.
 */
export const isUncertain = ({ status, message }: RefusedResponse): boolean =>
  status < 400 || status === 409 || (UNCERTAIN.test(message) && !NEVER_AGAIN.test(message));

/** On the text of a full response our pattern would run for long. */
const MAX_MATCHED_LENGTH = 300;

function kindOf(response: RefusedResponse): PspRefused['kind'] {
  if (isAboutCredentials(response)) return 'credentials';
  if (isNotFound(response)) return 'not_found';
  return ACCOUNT_ERRORS.test(response.message.slice(0, MAX_MATCHED_LENGTH)) ? 'account' : 'request';
}

/** Flutterwave's message is not passed on, as it quotes the request. */
export function refusal(response: RefusedResponse): PspRefused {
  return new PspRefused(kindOf(response), `Flutterwave refused the request (HTTP ${response.status}).`);
}
