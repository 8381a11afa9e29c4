import { numberOf } from '#lib/local/simulators/flutterwave/transactions.ts';
import type { Input, ProviderSimulator } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireRequest } from '#lib/local/simulators/frame/wire.ts';

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (input: Input, ...path: readonly string[]): string | null => {
  const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), input);
  return typeof value === 'string' && value !== '' ? value : null;
};

function bodyOf({ body }: WireRequest): Input {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Our payment id stands in `meta` of what is made, else on what the request is about. There are no idempotency keys. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = bodyOf(request);
  const flwRef = textAt(input, 'flw_ref');
  const subject = params.id ?? request.query.get('tx_ref') ?? request.query.get('id') ?? (flwRef === null ? undefined : numberOf(flwRef));
  const paymentId = textAt(input, 'meta', 'payment_id') ?? (subject === undefined ? undefined : objects.get(subject)?.paymentId) ?? null;
  return { input, key: null, paymentId, customerId: textAt(input, 'meta', 'customer_id') };
};
