import { refusal } from '#lib/local/simulators/flutterwave/answers.ts';
import type { ProviderSimulator } from '#lib/local/simulators/frame/provider.port.ts';

const KEY = /^FLWSECK(_TEST)?-[\w-]+$/;

export const identify: ProviderSimulator['identify'] = ({ headers }) => {
  const key = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (key === undefined) return { refusal: refusal(401, 'Authorization required') };
  if (!KEY.test(key) || /invalid|revoked/i.test(key)) return { refusal: refusal(401, 'Invalid authorization key') };
  return { identity: key };
};

export const settings: ProviderSimulator['settings'] = ({ secret_key: identity, webhook_secret: secret }) => {
  if (typeof identity !== 'string') return undefined;
  const secrets = Array.isArray(secret) ? secret : [secret];
  return { identity, publicId: null, webhookSecrets: secrets.filter((item) => typeof item === 'string') };
};
