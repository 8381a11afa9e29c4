import { bearerOf, isGoodKey } from '#lib/simulators/frame/credentials.ts';
import { isObject } from '#lib/simulators/frame/json.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { bodyOf, errorAnswer, textIn } from '#lib/simulators/paystack/answers.ts';

const KEY = /^sk_(test|live)_\w+$/;

export const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerOf(request);
  const nextStep = 'Ensure that you provide the correct authorization key for the request';
  if (key === undefined)
    return {
      refusal: errorAnswer(401, { message: 'No Authorization Header was found', code: 'missing_key', nextStep }),
    };
  if (!isGoodKey(key, KEY))
    return { refusal: errorAnswer(401, { message: 'Invalid key', code: 'invalid_Key', nextStep }) };
  return { identity: key };
};

/** The secret key is all there is: requests are made with it, and webhooks signed. */
export const settings: ProviderSimulator['settings'] = ({ secret_key: key }) =>
  typeof key === 'string' ? { identity: key, publicId: null, webhookSecrets: [key] } : undefined;

/** An object, or an object as text. */
export function metadataOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Our payment id stands in the metadata of what is made, else of what the request is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = bodyOf(request) ?? {};
  const metadata = metadataOf(input.metadata);
  const named = isObject(metadata) ? textIn(metadata, 'payment_id') : undefined;
  const subject = params.id ?? textIn(input, 'transaction') ?? textIn(input, 'reference');
  const known = named === undefined && subject !== undefined ? objects.get(decodeURIComponent(subject)) : undefined;
  const paymentId =
    named ?? known?.paymentId ?? (known?.parent ? objects.get(known.parent)?.paymentId : undefined) ?? null;
  return {
    input,
    key: null,
    paymentId,
    customerId: isObject(metadata) ? (textIn(metadata, 'customer_id') ?? null) : null,
  };
};
