import { keyIn } from '#lib/simulators/frame/credentials.ts';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';
import { formOf } from '#lib/simulators/stripe/ask.ts';
import { textAt } from '#lib/simulators/stripe/form.ts';
import { searchedPayment } from '#lib/simulators/stripe/search.ts';

/** Our payment id stands in the metadata of what is made, else of what the request is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = formOf(request);
  const subject = params.id ?? textAt(input, 'payment_intent') ?? textAt(input, 'charge');
  const query = textAt(input, 'query');
  const paymentId =
    textAt(input, 'metadata', 'payment_id') ??
    textAt(input, 'payment_intent_data', 'metadata', 'payment_id') ??
    (subject === null ? undefined : objects.get(subject)?.paymentId) ??
    (query === null ? undefined : searchedPayment(query)) ??
    null;
  const customerId = textAt(input, 'metadata', 'customer_id') ?? textAt(input, 'customer');
  return { input, key: keyIn(request, 'idempotency-key'), paymentId, customerId };
};
