import { createHash } from 'node:crypto';
import { secretList } from '#lib/simulators/kit/account-scope.ts';
import type { ProviderSimulator, Route } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import type { WireRequest } from '#lib/simulators/kit/wire.ts';
import { json, loginError } from '#lib/simulators/paypal/errors.ts';

const LOGIN_PATH = '/v1/oauth2/token';
const LIFE_SECONDS = 32_400;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const identityOf = (clientId: string, secret: string): string => digest(`${clientId}:${secret}`);

/** A token contains its identity and expiry, so that it is valid after a restart. */
function createToken(identity: string, expiresAt: number): string {
  const content = `${identity}.${expiresAt}.${randomId(8)}`;
  return `A21AA${Buffer.from(`${content}.${digest(content).slice(0, 16)}`).toString('base64url')}`;
}

function readToken(
  authorization: string | undefined,
): { readonly identity: string; readonly expiresAt: number } | undefined {
  const text = /^Bearer A21AA([\w-]+)$/i.exec(authorization ?? '')?.[1];
  const [identity = '', expiresAt = '', salt = '', check] = Buffer.from(text ?? '', 'base64url')
    .toString()
    .split('.');
  return check === digest(`${identity}.${expiresAt}.${salt}`).slice(0, 16)
    ? { identity, expiresAt: Number(expiresAt) }
    : undefined;
}

/** Whether the access token of a request has expired. */
export const hasExpired = ({ headers }: WireRequest, now: Date): boolean =>
  (readToken(headers.authorization)?.expiresAt ?? 0) <= now.getTime();

const INVALID_TOKEN = loginError('invalid_token', 'Token signature verification failed');
export const EXPIRED_TOKEN = loginError('invalid_token', 'Access Token not found in cache');
const INVALID_CLIENT = loginError('invalid_client', 'Client Authentication failed');

function identityFromBasic(authorization: string | undefined): string | undefined {
  const pair = Buffer.from(/^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '', 'base64').toString();
  const [, clientId, secret] = /^([\w-]{8,}):([\w-]{8,})$/.exec(pair) ?? [];
  return clientId && secret && !/invalid|revoked/.test(pair) ? identityOf(clientId, secret) : undefined;
}

export const identify: ProviderSimulator['identify'] = ({ path, headers }) => {
  const identity =
    path === LOGIN_PATH ? identityFromBasic(headers.authorization) : readToken(headers.authorization)?.identity;
  return identity ? { identity } : { error: path === LOGIN_PATH ? INVALID_CLIENT : INVALID_TOKEN };
};

/** PayPal has no webhook secret: the webhook id takes its place. */
export const accountOf: ProviderSimulator['accountOf'] = ({
  client_id: clientId,
  client_secret: secret,
  webhook_secret: webhook,
  merchant_id: merchant,
}) => {
  if (typeof clientId !== 'string' || typeof secret !== 'string') return undefined;
  return {
    identity: identityOf(clientId, secret),
    publicId: typeof merchant === 'string' ? merchant : null,
    webhookSecrets: secretList(webhook),
  };
};

export const loginRoute: Route = {
  method: 'POST',
  path: LOGIN_PATH,
  operation: 'authenticate',
  run: ({ request }, { now }) => {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (!isForm || new URLSearchParams(request.body).get('grant_type') !== 'client_credentials') {
      return json(400, { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' }, true);
    }
    const identity = identityFromBasic(request.headers.authorization) ?? '';
    const expiresAt = now.getTime() + LIFE_SECONDS * 1_000;
    const grant = {
      scope: 'https://uri.paypal.com/services/checkout https://uri.paypal.com/services/applications/webhooks',
      token_type: 'Bearer',
    };
    const nonce = `${now.toISOString()}${randomId(20)}`;
    return json(200, {
      ...grant,
      access_token: createToken(identity, expiresAt),
      app_id: 'APP-80W284485P519543T',
      expires_in: LIFE_SECONDS,
      nonce,
    });
  },
};
