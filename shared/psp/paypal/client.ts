import {
  type PspContext,
  PspNotSent,
  PspOutcomeUnknown,
  PspRefused,
  type PspResponse,
} from '#shared/ports/psp.port.ts';
import { type AccessToken, AccessTokens, accountKey } from '#shared/psp/kit/access-token.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import { parseJson, throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import type { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';
import {
  ACCOUNT_ERRORS,
  codeOf,
  issueOf,
  REQUEST_ERRORS,
  STATE_ERRORS,
  UNCERTAIN_ERRORS,
} from '#shared/psp/paypal/declines.catalog.ts';
import { LoginError, PaypalError, TokenResponse } from '#shared/psp/paypal/schema.ts';

export type PaypalContext = PspContext<PaypalCredentials>;

type PaypalCall = ChargePurpose & {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: { readonly [name: string]: unknown };
  /** A POST that takes no body. */
  readonly bodyless?: true;
  /** The same, for calls that take files beside their fields. `boundary` has only letters, digits, `_` and `-`. */
  readonly form?: { readonly boundary: string; readonly input: { readonly [name: string]: unknown } };
  readonly requestId?: string;
};

const tokens = new AccessTokens();

const accountOf = ({ credentials: { client_id, client_secret } }: PaypalContext): string =>
  accountKey(client_id, client_secret);

/** A 401 did nothing, so the call is repeated once with a new token. The old one may have been revoked early. */
export async function sendRequest(call: PaypalCall, psp: PaypalContext): Promise<PaypalResponse> {
  const token = await tokenFor(call, psp);
  const response = await sendWith(token, call, psp);
  if (response.status !== 401) return readResponse(response, psp.now());
  tokens.drop(accountOf(psp), token);
  return readResponse(await sendWith(await tokenFor(call, psp), call, psp), psp.now());
}

/** The response's object. Every refusal is thrown. */
export async function requestOrThrow(call: PaypalCall, psp: PaypalContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response.status, response.error);
  return response.body;
}

function sendWith(
  token: string,
  { operation, path, paymentId, body, bodyless, form, requestId }: PaypalCall,
  { send }: PaypalContext,
): Promise<PspResponse> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
    ...((body || bodyless) && { prefer: 'return=representation' }),
    ...(form && { 'content-type': `multipart/form-data; boundary=${form.boundary}` }),
    ...(requestId && { 'paypal-request-id': requestId }),
  };
  const text = form ? formText(form) : body && JSON.stringify(body);
  const method = text !== undefined || bodyless ? 'POST' : 'GET';
  return send({ operation, method, path, paymentId, headers, ...(text !== undefined && { body: text }) });
}

/** One part with the fields as JSON, whose text has no line breaks and so cannot hold the boundary's line. */
const formText = ({ boundary, input }: NonNullable<PaypalCall['form']>): string =>
  [
    `--${boundary}`,
    'Content-Disposition: form-data; name="input"',
    'Content-Type: application/json',
    '',
    JSON.stringify(input),
    `--${boundary}--`,
    '',
  ].join('\r\n');

const tokenFor = (call: ChargePurpose, psp: PaypalContext): Promise<string> =>
  tokens.get(accountOf(psp), psp.now, () => login(call, psp));

/** If the login fails, PayPal has not received the request itself. */
async function login({ paymentId }: ChargePurpose, psp: PaypalContext): Promise<AccessToken> {
  try {
    return await readToken(psp, paymentId);
  } catch (error) {
    if (error instanceof PspOutcomeUnknown)
      throw new PspNotSent('unreachable', 'PayPal returned no access token.', { cause: error });
    throw error;
  }
}

async function readToken({ credentials, send, now }: PaypalContext, paymentId: string | null): Promise<AccessToken> {
  const { client_id, client_secret } = credentials;
  const headers = {
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const response = await send({
    operation: 'authenticate',
    method: 'POST',
    path: '/v1/oauth2/token',
    paymentId,
    headers,
    body: 'grant_type=client_credentials',
  });
  throwIfUnavailable(response, now());
  const body = parseJson(response);
  const error = LoginError.safeParse(body).data;
  if (response.status === 401 || error?.error === 'invalid_client') throw refusal(401, { name: error?.error ?? '' });
  const token = TokenResponse.safeParse(body);
  if (response.status !== 200 || !token.success)
    throw new PspOutcomeUnknown(`PayPal's response to the login (HTTP ${response.status}) is not understood.`);
  return { text: token.data.access_token, seconds: token.data.expires_in };
}

export type PaypalResponse =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly error: PaypalError };

/** Issues of no list that sound like an earlier call: this charge or refund may have been made. */
const SOUNDS_UNCERTAIN = /DUPLICATE|_IN_PROGRESS$/;

function saysNothing({ name, details }: PaypalError): boolean {
  const codes = [name, ...(details ?? []).map(({ issue }) => issue)].map((code) => codeOf(code) ?? '');
  return codes.some((code) => UNCERTAIN_ERRORS.has(code) || (SOUNDS_UNCERTAIN.test(code) && !REQUEST_ERRORS.has(code)));
}

/**
 * Sorts a response into an object or a readable refusal. Anything else throws. A 409 means that another call is still
 * running.
 */
function readResponse(response: PspResponse, now: Date): PaypalResponse {
  throwIfUnavailable(response, now);
  const body = parseJson(response);
  if (response.status === 200 || response.status === 201) return { ok: true, body };
  const error = parseError(body);
  if (!error || response.status < 400)
    throw new PspOutcomeUnknown(`PayPal's response (HTTP ${response.status}) is not understood.`);
  if (response.status === 409 || saysNothing(error))
    throw new PspOutcomeUnknown(`PayPal reports no result (${issueOf(error) ?? codeOf(error.name)}).`);
  return { ok: false, status: response.status, error };
}

function parseError(body: unknown): PaypalError | undefined {
  const parsed = PaypalError.safeParse(body);
  if (parsed.success) return parsed.data;
  const login = LoginError.safeParse(body);
  return login.success ? { name: login.data.error } : undefined;
}

const KIND_BY_STATUS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

function kindOf(code: string): PspRefused['kind'] {
  if (STATE_ERRORS.has(code)) return 'state';
  return ACCOUNT_ERRORS.has(code) ? 'account' : 'request';
}

/**
 * Our request or the account's configuration is wrong. PayPal's message is not passed on, as it may quote the request.
 */
export function refusal(status: number, error: PaypalError): PspRefused {
  const code = issueOf(error) ?? codeOf(error.name);
  const kind = KIND_BY_STATUS[status] ?? kindOf(code ?? '');
  return new PspRefused(kind, `PayPal refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}
