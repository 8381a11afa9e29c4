import { createHash } from 'node:crypto';
import { secretsIn } from '#lib/simulators/frame/credentials.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { ProviderSimulator, Route } from '#lib/simulators/frame/provider.port.ts';
import type { WireRequest } from '#lib/simulators/frame/wire.ts';
import { json, loginError } from '#lib/simulators/paypal/errors.ts';

const LOGIN = '/v1/oauth2/token';
const LIFE_SECONDS = 32_400;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const identityOf = (clientId: string, secret: string): string => digest(`${clientId}:${secret}`);

/** A token says by itself whose it is and until when, so that it outlives a restart. */
function makeToken(identity: string, until: number): string {
  const content = `${identity}.${until}.${letters(8)}`;
  return `A21AA${Buffer.from(`${content}.${digest(content).slice(0, 16)}`).toString('base64url')}`;
}

function readToken(
  authorization: string | undefined,
): { readonly identity: string; readonly until: number } | undefined {
  const text = /^Bearer A21AA([\w-]+)$/i.exec(authorization ?? '')?.[1];
  const [identity = '', until = '', salt = '', check] = Buffer.from(text ?? '', 'base64url')
    .toString()
    .split('.');
  return check === digest(`${identity}.${until}.${salt}`).slice(0, 16) ? { identity, until: Number(until) } : undefined;
}

/** Whether the token of a request has ended by now. */
export const hasExpired = ({ headers }: WireRequest, now: Date): boolean =>
  (readToken(headers.authorization)?.until ?? 0) <= now.getTime();

const badToken = loginError('invalid_token', 'Token signature verification failed');
export const oldToken = loginError('invalid_token', 'Access Token not found in cache');
const badClient = loginError('invalid_client', 'Client Authentication failed');

function fromBasic(authorization: string | undefined): string | undefined {
  const pair = Buffer.from(/^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '', 'base64').toString();
  const [, clientId, secret] = /^([\w-]{8,}):([\w-]{8,})$/.exec(pair) ?? [];
  return clientId && secret && !/invalid|revoked/.test(pair) ? identityOf(clientId, secret) : undefined;
}

export const identify: ProviderSimulator['identify'] = ({ path, headers }) => {
  const identity = path === LOGIN ? fromBasic(headers.authorization) : readToken(headers.authorization)?.identity;
  return identity ? { identity } : { refusal: path === LOGIN ? badClient : badToken };
};

/** The webhook's id is what a merchant's endpoint is known by; there is no secret of its own. */
export const settings: ProviderSimulator['settings'] = ({
  client_id: clientId,
  client_secret: secret,
  webhook_secret: webhook,
  merchant_id: merchant,
}) => {
  if (typeof clientId !== 'string' || typeof secret !== 'string') return undefined;
  return {
    identity: identityOf(clientId, secret),
    publicId: typeof merchant === 'string' ? merchant : null,
    webhookSecrets: secretsIn(webhook),
  };
};

export const loginRoute: Route = {
  method: 'POST',
  path: LOGIN,
  operation: 'authenticate',
  run: ({ request }, { now }) => {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (!isForm || new URLSearchParams(request.body).get('grant_type') !== 'client_credentials') {
      return json(400, { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' }, true);
    }
    const identity = fromBasic(request.headers.authorization) ?? '';
    const until = now.getTime() + LIFE_SECONDS * 1_000;
    const told = {
      scope: 'https://uri.paypal.com/services/checkout https://uri.paypal.com/services/applications/webhooks',
      token_type: 'Bearer',
    };
    const nonce = `${now.toISOString()}${letters(20)}`;
    return json(200, {
      ...told,
      access_token: makeToken(identity, until),
      app_id: 'APP-80W284485P519543T',
      expires_in: LIFE_SECONDS,
      nonce,
    });
  },
};
