import { describe, expect, it } from 'vitest';
import {
  canCancel,
  canRetry,
  isMoving,
  leftToCapture,
  leftToRefund,
} from '#client/dashboard/screens/payment/what-is-possible.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

const FAILURE = { code: 'card_declined', category: 'soft_decline', message: 'No.', provider_code: null } as const;
const part = (id: string, amount: number, status: 'pending' | 'succeeded' | 'failed', attempt_id = 'att_2') => ({
  ...{ id, amount, status, attempt_id, final: false, reason: null, failure: null, metadata: {} },
  ...{ psp_reference: null, created_at: '2026-03-01T10:00:00.000Z' },
});
/** What these rules look at. */
const payment = (about: Partial<Payment>): Payment =>
  ({
    ...{ status: 'succeeded', amount: 5_000, capture: 'automatic', refunds: [], review: null, failure: null },
    attempts: [
      { id: 'att_1', status: 'failed' },
      { id: 'att_2', status: 'succeeded' },
    ],
    ...about,
  }) as unknown as Payment;

describe('what is left to refund', () => {
  it.each<[string, Partial<Payment>, number]>([
    ['is all of a payment without refunds', {}, 5_000],
    [
      'is without what is refunded or on its way',
      { refunds: [part('a', 1_000, 'succeeded'), part('b', 500, 'pending')] },
      3_500,
    ],
    ['counts a failed refund as nothing', { refunds: [part('a', 1_000, 'failed')] }, 5_000],
    [
      'does not count what was given back of another charge',
      { refunds: [part('a', 5_000, 'succeeded', 'att_1')] },
      5_000,
    ],
    ['is what was captured, of one that is captured later', { capture: 'manual', captured_amount: 2_000 }, 2_000],
    ['is never less than nothing', { capture: 'manual', captured_amount: 0, refunds: [part('a', 1, 'succeeded')] }, 0],
    ['is nothing of a payment that did not succeed', { status: 'failed' }, 0],
  ])('%s', (_, about, left) => {
    expect(leftToRefund(payment(about))).toBe(left);
  });
});

it.each<[string, Partial<Payment>, number]>([
  ['all that is authorized', { authorized_amount: 4_000, captures: [] }, 4_000],
  [
    'the rest after captures that have not failed',
    {
      authorized_amount: 4_000,
      captures: [part('a', 1_000, 'succeeded'), part('b', 500, 'failed'), part('c', 200, 'pending')],
    },
    2_800,
  ],
  ['nothing once it is captured', { status: 'succeeded', authorized_amount: 4_000, captures: [] }, 0],
])('can capture %s', (_, about, left) => {
  expect(leftToCapture(payment({ status: 'authorized', ...about }))).toBe(left);
});

describe('the acts that are offered', () => {
  const review = { reason: 'no_verdict', at: '2026-03-01T10:00:00.000Z' };
  it.each<[string, Partial<Payment>, boolean, boolean]>([
    ['a payment that waits can be canceled', { status: 'requires_action' }, true, false],
    ['a hold can be canceled', { status: 'authorized' }, true, false],
    ['one that is over can not', { status: 'refunded' }, false, false],
    ['a decline can be tried again', { status: 'failed', failure: { ...FAILURE, retryable: true } }, false, true],
    ['a final decline can not', { status: 'failed', failure: { ...FAILURE, retryable: false } }, false, false],
    ['a review is ended first', { status: 'processing', review }, false, false],
  ])('%s', (_, about, cancels, retries) => {
    expect([canCancel(payment(about)), canRetry(payment(about))]).toEqual([cancels, retries]);
  });

  it('a payment is looked at again while something of it is on its way', () => {
    expect(isMoving(payment({}))).toBe(false);
    expect(isMoving(payment({ status: 'processing' }))).toBe(true);
    expect(isMoving(payment({ refunds: [part('a', 1, 'pending')] }))).toBe(true);
  });
});
