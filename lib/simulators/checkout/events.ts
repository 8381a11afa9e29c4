import { createHmac } from 'node:crypto';
import { type Action, newId, paymentUrl, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

/** Sends an event about a payment, or about an action on it, which has its own reference and metadata. */
export function announce(work: UnitOfWork, type: string, { body: payment }: StoredPayment, action?: Action): void {
  work.emit(() => eventBody(work, type, payment, action));
}

function eventBody(work: UnitOfWork, type: string, payment: StoredPayment['body'], action: Action | undefined): string {
  const id = newId('evt');
  const { amount, currency, reference, source, metadata } = payment;
  const event = {
    id,
    type,
    version: '1.0.0',
    created_on: work.now.toISOString(),
    data: {
      id: payment.id,
      ...(action && { action_id: action.id }),
      payment_type: payment.payment_type,
      reference: action?.reference ?? reference,
      amount: action?.amount ?? amount,
      currency,
      processed_on: action?.processed_on ?? payment.requested_on,
      ...(action?.response_code !== undefined && {
        response_code: action.response_code,
        response_summary: action.response_summary,
      }),
      source,
      metadata: action?.metadata ?? metadata,
    },
    _links: {
      self: { href: `https://api.sandbox.checkout.com/workflows/events/${id}` },
      payment: { href: paymentUrl(payment.id) },
    },
  };
  return JSON.stringify(event);
}

/** A webhook has one key. If the account has several, the newest one signs. */
export const webhookHeaders = (body: string, [secret = '']: readonly string[]): Readonly<Record<string, string>> => ({
  'cko-signature': createHmac('sha256', secret).update(body).digest('hex'),
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Checkout.com',
});

export const eventTypeOf = (body: string): string => String(JSON.parse(body).type);
