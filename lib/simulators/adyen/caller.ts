import { errorAnswer } from '#lib/simulators/adyen/answers.ts';
import { textIn } from '#lib/simulators/adyen/checks.ts';
import { named } from '#lib/simulators/adyen/objects.ts';
import { isGoodKey, keyIn, secretsIn } from '#lib/simulators/frame/credentials.ts';
import { parseObject, textAt } from '#lib/simulators/frame/json.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';

export const identify: ProviderSimulator['identify'] = ({ headers }) => {
  const key = headers['x-api-key'];
  const good = typeof key === 'string' && isGoodKey(key, /^[\x21-\x7e]{8,}$/);
  return good
    ? { identity: key }
    : { refusal: errorAnswer(401, '000', 'HTTP Status Response - Unauthorized', 'security') };
};

export const settings: ProviderSimulator['settings'] = ({
  api_key: key,
  merchant_account: merchant,
  webhook_secret: secret,
}) => {
  if (typeof key !== 'string') return undefined;
  return { identity: key, publicId: typeof merchant === 'string' ? merchant : null, webhookSecrets: secretsIn(secret) };
};

/**
 * Our payment id is in the metadata of new objects, else on the object that the request is about, under any of its
 * names.
 */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = parseObject(request.body) ?? {};
  const subject = params.id || textIn(input, 'paymentReference') || (textAt(input, 'details', 'redirectResult') ?? '');
  const about = named(objects, subject) ?? objects.get(subject);
  const paymentId = textAt(input, 'metadata', 'payment_id') ?? about?.paymentId ?? null;
  return {
    input,
    key: keyIn(request, 'idempotency-key'),
    paymentId,
    customerId: textIn(input, 'shopperReference') || null,
  };
};
