import { type PspContext, PspNotSent, PspOutcomeUnknown, type PspReply } from '#shared/ports/psp.port.ts';
import { AccessTokens, accountKey, type FreshToken } from '#shared/psp/kit/access-token.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import type { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';
import { type PaypalAnswer, readAnswer, refusal } from '#shared/psp/paypal/error.rules.ts';
import { LoginFault, TokenReply } from '#shared/psp/paypal/objects.schema.ts';

export type PaypalContext = PspContext<PaypalCredentials>;

type PaypalCall = ChargePurpose & {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: { readonly [name: string]: unknown };
  readonly requestId?: string;
};

const tokens = new AccessTokens();

const accountOf = ({ credentials: { client_id, client_secret } }: PaypalContext): string =>
  accountKey(client_id, client_secret);

/** A 401 did nothing, so the call is repeated once with a new token: the old one may have been revoked early. */
export async function ask(call: PaypalCall, psp: PaypalContext): Promise<PaypalAnswer> {
  const token = await tokenFor(call, psp);
  const reply = await sendWith(token, call, psp);
  if (reply.status !== 401) return readAnswer(reply, psp.now());
  tokens.drop(accountOf(psp), token);
  return readAnswer(await sendWith(await tokenFor(call, psp), call, psp), psp.now());
}

/** The object; every refusal is thrown. */
export async function get(call: PaypalCall, psp: PaypalContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  return answer.body;
}

function sendWith(
  token: string,
  { operation, path, paymentId, body, requestId }: PaypalCall,
  { send }: PaypalContext,
): Promise<PspReply> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json', prefer: 'return=representation' }),
    ...(requestId && { 'paypal-request-id': requestId }),
  };
  const sending = body ? ({ method: 'POST', body: JSON.stringify(body) } as const) : ({ method: 'GET' } as const);
  return send({ operation, path, paymentId, headers, ...sending });
}

const tokenFor = (call: ChargePurpose, psp: PaypalContext): Promise<string> =>
  tokens.get(accountOf(psp), psp.now, () => login(call, psp));

/** A failure here means that PayPal got no request. */
async function login({ paymentId }: ChargePurpose, psp: PaypalContext): Promise<FreshToken> {
  try {
    return await readToken(psp, paymentId);
  } catch (error) {
    if (error instanceof PspOutcomeUnknown)
      throw new PspNotSent('unreachable', 'PayPal gave no access token.', { cause: error });
    throw error;
  }
}

async function readToken({ credentials, send, now }: PaypalContext, paymentId: string | null): Promise<FreshToken> {
  const { client_id, client_secret } = credentials;
  const headers = {
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const reply = await send({
    operation: 'authenticate',
    method: 'POST',
    path: '/v1/oauth2/token',
    paymentId,
    headers,
    body: 'grant_type=client_credentials',
  });
  throwTrouble(reply, now());
  const body = json(reply);
  const fault = LoginFault.safeParse(body).data;
  if (reply.status === 401 || fault?.error === 'invalid_client') throw refusal(401, { name: fault?.error ?? '' });
  const token = TokenReply.safeParse(body);
  if (reply.status !== 200 || !token.success)
    throw new PspOutcomeUnknown(`PayPal's answer to the login (HTTP ${reply.status}) is not understood.`);
  return { text: token.data.access_token, seconds: token.data.expires_in };
}
