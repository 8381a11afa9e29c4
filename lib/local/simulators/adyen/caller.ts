import { bodyOf, errorAnswer, isBody } from '#lib/local/simulators/adyen/answers.ts';
import { textIn } from '#lib/local/simulators/adyen/checks.ts';
import { isName } from '#lib/local/simulators/adyen/objects.ts';
import type { ProviderSimulator } from '#lib/local/simulators/frame/provider.port.ts';

export const identify: ProviderSimulator['identify'] = ({ headers }) => {
  const key = headers['x-api-key'];
  const good = typeof key === 'string' && /^[\x21-\x7e]{8,}$/.test(key) && !/invalid|revoked/i.test(key);
  return good ? { identity: key } : { refusal: errorAnswer(401, '000', 'HTTP Status Response - Unauthorized', 'security') };
};

export const settings: ProviderSimulator['settings'] = ({ api_key: key, merchant_account: merchant, webhook_secret: secret }) => {
  if (typeof key !== 'string') return undefined;
  const webhookSecrets = [secret].flat().filter((item) => typeof item === 'string');
  return { identity: key, publicId: typeof merchant === 'string' ? merchant : null, webhookSecrets };
};

/** Our payment id stands in the metadata of what is made, else with the object that the request is about, by whatever name. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = bodyOf(request.body) ?? {};
  const { metadata, details } = input;
  const result = isBody(details) ? textIn(details, 'redirectResult') : '';
  const subject = objects.get(params.id || textIn(input, 'paymentReference') || result);
  const about = isName(subject) ? objects.get(subject?.parent ?? '') : subject;
  const shown = isBody(metadata) && typeof metadata.payment_id === 'string' ? metadata.payment_id : undefined;
  const key = request.headers['idempotency-key'];
  return {
    input,
    key: request.method === 'POST' && typeof key === 'string' ? key : null,
    paymentId: shown ?? about?.paymentId ?? null,
    customerId: textIn(input, 'shopperReference') || null,
  };
};
