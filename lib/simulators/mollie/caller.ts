import { bearerOf, isGoodKey, secretsIn } from '#lib/simulators/frame/credentials.ts';
import { textAt } from '#lib/simulators/frame/json.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { inputOf } from '#lib/simulators/mollie/ask.ts';
import { NO_SECRET } from '#lib/simulators/mollie/callbacks.ts';
import { errorAnswer } from '#lib/simulators/mollie/errors.ts';

const KEY = /^(test|live)_\w+$/;

export const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerOf(request);
  if (key === undefined || !isGoodKey(key, KEY)) {
    return { refusal: errorAnswer(401, 'Missing authentication, or failed to authenticate') };
  }
  return { identity: key };
};

/** An account with a secret has an endpoint for events; its id makes us send them. */
export const settings: ProviderSimulator['settings'] = ({ api_key: key, webhook_secret: secret }) => {
  if (typeof key !== 'string') return undefined;
  const secrets = secretsIn(secret);
  return secrets.length > 0
    ? { identity: key, publicId: 'hook_of_this_account', webhookSecrets: secrets }
    : { identity: key, publicId: null, webhookSecrets: [NO_SECRET] };
};

/** Our payment id stands in the metadata of what is made, else of the payment that the request is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = inputOf(request) ?? {};
  const key = request.headers['idempotency-key'];
  const paymentId = textAt(input, 'metadata', 'payment_id') ?? objects.get(params.id ?? '')?.paymentId ?? null;
  return {
    input,
    key: request.method !== 'GET' && typeof key === 'string' ? key : null,
    paymentId,
    customerId: textAt(input, 'customerId'),
  };
};
