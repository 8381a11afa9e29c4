import { wordless } from '#lib/simulators/checkout/answers.ts';
import { isPage, isPayment, referenceId } from '#lib/simulators/checkout/objects.ts';
import { inputOf } from '#lib/simulators/checkout/validation.ts';
import { bearerOf, isGoodKey, keyIn, secretsIn } from '#lib/simulators/frame/credentials.ts';
import { textAt } from '#lib/simulators/frame/json.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';

const KEY = /^sk_(sbox_)?[A-Za-z0-9*#$=]+$/;

/** The host prefix is part of the name that led here, and can't be seen any more. */
export const identify: ProviderSimulator['identify'] = (request) => {
  const key = bearerOf(request);
  return key === undefined || !isGoodKey(key, KEY) ? { refusal: wordless(401) } : { identity: key };
};

export const settings: ProviderSimulator['settings'] = ({ secret_key: key, webhook_secret: secret }) => {
  if (typeof key !== 'string') return undefined;
  return { identity: key, publicId: null, webhookSecrets: secretsIn(secret) };
};

/** Hosted pages are not among what a key works for. */
const KEYED = /^\/payments(\/[^/]+\/(captures|refunds|voids))?$/;

/** Our payment id stands in the metadata of what is made, else of what the request is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = inputOf(request.body) ?? {};
  const reference = request.query.get('reference');
  const about = reference === null ? objects.get(params.id ?? '') : objects.childrenOf(referenceId(reference)).at(-1);
  const named = about && (isPayment(about) || isPage(about)) ? about.paymentId : null;
  return {
    input,
    key: KEYED.test(request.path) ? keyIn(request, 'cko-idempotency-key') : null,
    paymentId: textAt(input, 'metadata', 'payment_id') ?? named,
    customerId: textAt(input, 'metadata', 'customer_id') ?? textAt(input, 'customer', 'id'),
  };
};
