import { wordless } from '#lib/local/simulators/checkout/answers.ts';
import { isPage, isPayment, referenceId } from '#lib/local/simulators/checkout/objects.ts';
import { inputOf, isInput } from '#lib/local/simulators/checkout/validation.ts';
import type { ProviderSimulator } from '#lib/local/simulators/frame/provider.port.ts';

const KEY = /^sk_(sbox_)?[A-Za-z0-9*#$=]+$/;

/** The host prefix is part of the name that led here, and can't be seen any more. */
export const identify: ProviderSimulator['identify'] = ({ headers }) => {
  const key = /^Bearer\s+(\S+)$/.exec(headers.authorization ?? '')?.[1];
  return key === undefined || !KEY.test(key) || /invalid|revoked/.test(key) ? { refusal: wordless(401) } : { identity: key };
};

export const settings: ProviderSimulator['settings'] = ({ secret_key: key, webhook_secret: secret }) => {
  if (typeof key !== 'string') return undefined;
  const secrets = Array.isArray(secret) ? secret : [secret];
  return { identity: key, publicId: null, webhookSecrets: secrets.filter((item) => typeof item === 'string') };
};

/** Hosted pages are not among what a key works for. */
const KEYED = /^\/payments(\/[^/]+\/(captures|refunds|voids))?$/;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Our payment id stands in the metadata of what is made, else of what the request is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = inputOf(request.body) ?? {};
  const metadata = isInput(input.metadata) ? input.metadata : {};
  const customer = isInput(input.customer) ? input.customer : {};
  const key = request.headers['cko-idempotency-key'];
  const reference = request.query.get('reference');
  const about = reference === null ? objects.get(params.id ?? '') : objects.childrenOf(referenceId(reference)).at(-1);
  const named = about && (isPayment(about) || isPage(about)) ? about.paymentId : null;
  return {
    input,
    key: request.method === 'POST' && KEYED.test(request.path) ? textOf(key) : null,
    paymentId: textOf(metadata.payment_id) ?? named,
    customerId: textOf(metadata.customer_id) ?? textOf(customer.id),
  };
};
