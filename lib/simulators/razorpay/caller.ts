import { accountHash } from '#lib/simulators/frame/account-book.ts';
import { keyIn, secretsIn } from '#lib/simulators/frame/credentials.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { fieldsOf, signedIn } from '#lib/simulators/razorpay/ask.ts';
import { plainError } from '#lib/simulators/razorpay/errors.ts';
import { receiptPlace, referencePlace } from '#lib/simulators/razorpay/objects.ts';
import { paymentIdIn, textIn } from '#lib/simulators/razorpay/validation.ts';

const identityOf = (keyId: string, keySecret: string): string => `${keyId}:${keySecret}`;

export const identify: ProviderSimulator['identify'] = (request) => {
  if (request.headers.authorization === undefined)
    return { refusal: plainError(401, 'Please provide your api key for authentication purposes.') };
  const [keyId = '', keySecret = ''] = signedIn(request) ?? [];
  const isKey = /^rzp_(test|live)_\w+$/.test(keyId) && !/invalid|revoked/.test(keyId + keySecret);
  return isKey
    ? { identity: identityOf(keyId, keySecret) }
    : { refusal: plainError(401, 'The api key provided is invalid') };
};

export const settings: ProviderSimulator['settings'] = ({ key_id, key_secret, webhook_secret: secret, account_id }) => {
  if (typeof key_id !== 'string' || typeof key_secret !== 'string') return undefined;
  return {
    identity: identityOf(key_id, key_secret),
    publicId: typeof account_id === 'string' ? account_id : null,
    webhookSecrets: secretsIn(secret),
  };
};

/** Our payment id stands in the notes of what is made, else of what the request is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = fieldsOf(request) ?? {};
  const subject = params.id ?? textIn(input, 'order_id');
  const account = accountHash(identityOf(...(signedIn(request) ?? ['', ''])));
  const receipt = request.query.get('receipt');
  const reference = request.query.get('reference_id');
  const places = [
    receipt !== null && receiptPlace(account, receipt),
    reference !== null && referencePlace(account, reference),
  ].filter((place) => place !== false);
  const paymentId =
    paymentIdIn(input) ??
    (subject === null ? undefined : objects.get(subject)?.paymentId) ??
    places.flatMap((place) => objects.childrenOf(place))[0]?.paymentId ??
    null;
  return { input, key: keyIn(request, 'x-refund-idempotency'), paymentId, customerId: textIn(input, 'customer_id') };
};
