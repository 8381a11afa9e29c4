import { createHmac } from 'node:crypto';
import type { ProviderSimulator, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { INTEGRATION, type Refund } from '#lib/simulators/paystack/objects.ts';

export const announce = (work: UnitOfWork, event: string, data: () => object): void =>
  work.emit(() => JSON.stringify({ event, data: data() }));

/** The event has the amount as text and the transaction's reference, but not the refund's id. */
export const refundEventView = ({
  status,
  transaction_reference,
  amount,
  currency,
  email,
  domain,
}: Refund): object => ({
  status,
  transaction_reference,
  refund_reference: null,
  amount: String(amount),
  currency,
  processor: 'instant-transfer',
  customer: { first_name: null, last_name: null, email },
  integration: INTEGRATION,
  domain,
});

/** Signs the bytes of the body with the account's secret key. */
export const webhookHeaders: ProviderSimulator['webhookHeaders'] = (body, [secret = '']) => ({
  'content-type': 'application/json',
  'user-agent': 'Paystack/2.0',
  'x-paystack-signature': createHmac('sha512', secret).update(body).digest('hex'),
});
