import { createHmac } from 'node:crypto';
import { type Action, newId, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
import { selfOf } from '#lib/simulators/checkout/views.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

/**
 * Tells the account's workflow what happened, with what it happened in: an action has a reference and metadata of its
 * own.
 */
export function announce(work: Work, type: string, { body: payment }: StoredPayment, action?: Action): void {
  work.emit(() => event(work, type, payment, action));
}

function event(work: Work, type: string, payment: StoredPayment['body'], action: Action | undefined): string {
  const id = newId('evt');
  const { amount, currency, reference, source, metadata } = payment;
  const told = {
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
      payment: { href: selfOf(payment.id) },
    },
  };
  return JSON.stringify(told);
}

/** One key for each webhook: of several that an account has here, the newest signs. */
export const signedHeaders = (body: string, [secret = '']: readonly string[]): Readonly<Record<string, string>> => ({
  'cko-signature': createHmac('sha256', secret).update(body).digest('hex'),
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Checkout.com',
});
