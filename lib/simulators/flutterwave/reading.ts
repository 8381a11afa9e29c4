import { numberOf } from '#lib/simulators/flutterwave/transactions.ts';
import { textAt as anyTextAt, parseObject } from '#lib/simulators/frame/json.ts';
import type { Input, ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';

/** Empty text is as good as none. */
export const textAt = (input: Input, ...path: readonly string[]): string | null => anyTextAt(input, ...path) || null;

/**
 * Our payment id stands in `meta` of what is made, else on what the request is about. There are no idempotency keys.
 */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = parseObject(request.body) ?? {};
  const flwRef = textAt(input, 'flw_ref');
  const subject =
    params.id ??
    request.query.get('tx_ref') ??
    request.query.get('id') ??
    (flwRef === null ? undefined : numberOf(flwRef));
  const paymentId =
    textAt(input, 'meta', 'payment_id') ??
    (subject === undefined ? undefined : objects.get(subject)?.paymentId) ??
    null;
  return { input, key: null, paymentId, customerId: textAt(input, 'meta', 'customer_id') };
};
