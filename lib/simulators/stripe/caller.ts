import { bearerOf, isGoodKey, secretsIn } from '#lib/simulators/frame/credentials.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { errorAnswer } from '#lib/simulators/stripe/errors.ts';

const KEY = /^(sk|rk)_(test|live)_\w+$/;

const NO_KEY =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.";

/** A connected account is another account, though the platform's key acts for it. */
const identityOf = (key: string, account: string | null): string => (account === null ? key : `${key} for ${account}`);

const masked = (key: string): string => `${key.slice(0, 8)}${'*'.repeat(Math.max(4, key.length - 12))}${key.slice(-4)}`;

export const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerOf(request);
  if (key === undefined) return { refusal: errorAnswer(401, { message: NO_KEY, type: 'invalid_request_error' }) };
  if (!isGoodKey(key, KEY)) {
    return {
      refusal: errorAnswer(401, { message: `Invalid API Key provided: ${masked(key)}`, type: 'invalid_request_error' }),
    };
  }
  const account = request.headers['stripe-account'];
  return { identity: identityOf(key, typeof account === 'string' ? account : null) };
};

export const settings: ProviderSimulator['settings'] = ({ secret_key: key, webhook_secret: secret, account }) => {
  if (typeof key !== 'string') return undefined;
  const publicId = typeof account === 'string' ? account : null;
  return { identity: identityOf(key, publicId), publicId, webhookSecrets: secretsIn(secret) };
};
