import { expect, it } from 'vitest';
import { mayCustomerRetry } from '#functions/hosted-pages/retry-returned-payment.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { aFailure, anAttempt, aPayment } from '#test/support/payment.builder.ts';

const AT = new Date('2026-11-28T12:00:00.000Z');
const failed = (more: Partial<Payment> = {}): Payment =>
  aPayment({
    status: 'failed',
    failure: aFailure('authentication_failed'),
    created_at: '2026-11-28T09:00:00.000Z',
    sealed_method: 'sealed',
    attempts: [anAttempt({ status: 'failed', phase: 'final' })],
    ...more,
  });
const tries = (n: number) => Array.from({ length: n }, () => anAttempt({ status: 'failed', phase: 'final' }));

it.each<[string, Partial<Payment>, boolean]>([
  ['may try a card again whose 3-D Secure failed', {}, true],
  ['may not try a card again that was declined', { failure: aFailure('card_declined') }, false],
  ['may not try a card again that has expired', { failure: aFailure('expired_card') }, false],
  [
    'may choose another card where the provider asks for it',
    { failure: aFailure('expired_card'), sealed_method: null },
    true,
  ],
  ['may not try again what never will be approved', { failure: aFailure('stolen_card'), sealed_method: null }, false],
  ['may not try again after fraud is suspected', { failure: aFailure('fraud_suspected'), sealed_method: null }, false],
  ['may not try again where the shop has a page', { return_url: 'https://shop.example' }, false],
  ['may not try a payment of a link again, which has a page of its own', { payment_link_id: 'plink_1' }, false],
  ['may not try an invoice again, which has a schedule of its own', { invoice_id: 'inv_1' }, false],
  [
    'may not try again what a person reviews',
    { review: { reason: 'no_verdict', at: '2026-11-28T10:00:00.000Z' } },
    false,
  ],
  ['may try a fifth time', { attempts: tries(4) }, true],
  ['may not try a sixth time', { attempts: tries(5) }, false],
  ['may not try again after a day', { created_at: '2026-11-27T11:59:59.000Z' }, false],
  [
    'may not try again while an earlier charge is open',
    { attempts: [anAttempt({ phase: 'unknown' }), ...tries(1)] },
    false,
  ],
  ['may not pay again what succeeded', { status: 'succeeded' }, false],
  ['may not pay again what was canceled', { status: 'canceled' }, false],
])('a customer %s', (_, more, expected) => expect(mayCustomerRetry(failed(more), AT)).toBe(expected));
