import { refusal } from '#lib/simulators/flutterwave/answers.ts';
import { bearerOf, isGoodKey, secretsIn } from '#lib/simulators/frame/credentials.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';

const KEY = /^FLWSECK(_TEST)?-[\w-]+$/;

export const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerOf(request);
  if (key === undefined) return { refusal: refusal(401, 'Authorization required') };
  if (!isGoodKey(key, KEY)) return { refusal: refusal(401, 'Invalid authorization key') };
  return { identity: key };
};

export const settings: ProviderSimulator['settings'] = ({ secret_key: identity, webhook_secret: secret }) => {
  if (typeof identity !== 'string') return undefined;
  return { identity, publicId: null, webhookSecrets: secretsIn(secret) };
};
