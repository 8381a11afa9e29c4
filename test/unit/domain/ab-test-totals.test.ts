import { describe, expect, it } from 'vitest';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { paymentDeltas } from '#shared/domain/reporting/totals.rules.ts';
import { testId } from '#test/support/ab-test.builder.ts';
import { anAttempt, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const inVariant = (variant: string) => ({ ab_test: { test_id: testId(1), variant } });
const tried = (...attempts: readonly Partial<Attempt>[]): Payment =>
  aPayment({
    attempts: attempts.map((about, n) => anAttempt({ id: `att_${n}`, ...about })),
    updated_at: later(5_000).toISOString(),
  });
const counted = (old: Payment | undefined, next: Payment | undefined) =>
  paymentDeltas(old, next).flatMap(({ of, add, latest }) =>
    of.kind === 'ab_result' ? [[of.variant, add, latest?.updated_at]] : [],
  );

const A = inVariant('A');
const refundedBy = (reason: string, automatic = true): Pick<Payment, 'refunds'> => ({
  refunds: [aRefund({ attempt_id: 'att_0', reason, ...(automatic && { automatic }) })],
});
const goingBack = (reason: string): Payment => ({ ...tried({ ...A, status: 'succeeded' }), ...refundedBy(reason) });
const begun = { transactions: 1, 'sent:USD': 1, 'day:2026-03-01': 1 };
const at = later(5_000).toISOString();

describe('a variant', () => {
  it.each<[string, Payment | undefined, Payment | undefined, unknown]>([
    ['counts an attempt that it started', undefined, tried(A), [['A', begun, at]]],
    ['does not count an attempt that it did not start', undefined, tried({}), []],
    [
      'counts the revenue of its attempt',
      tried(A),
      tried({ ...A, status: 'succeeded', latency_ms: 80 }),
      [['A', { successful: 1, 'taken:USD': 5_000, timed: 1, total_latency_ms: 80 }, at]],
    ],
    [
      'counts a failure, and not the failover after it',
      tried(A),
      tried({ ...A, status: 'failed' }, { status: 'succeeded' }),
      [['A', { failed: 1 }, at]],
    ],
    [
      'reverses a failure that succeeds late',
      tried({ ...A, status: 'failed' }),
      tried({ ...A, status: 'succeeded' }),
      [['A', { failed: -1, successful: 1, 'taken:USD': 5_000 }, at]],
    ],
    [
      'reverses a success whose duplicate charge is refunded automatically',
      tried({ ...A, status: 'succeeded' }),
      goingBack('duplicate_charge'),
      [['A', { successful: -1, 'taken:USD': -5_000 }, at]],
    ],
    ['counts a charge after a cancel as sent only', tried(A), goingBack('after_cancel'), []],
    [
      'keeps a success that overpaid its payment link',
      tried({ ...A, status: 'succeeded' }),
      goingBack('link_overpaid'),
      [],
    ],
    [
      'keeps a success that the merchant refunds',
      tried({ ...A, status: 'succeeded' }),
      { ...goingBack('gift'), ...refundedBy('gift', false) },
      [],
    ],
    [
      'reverses an attempt that was never sent',
      tried(A),
      tried(),
      [['A', { transactions: -1, 'sent:USD': -1, 'day:2026-03-01': -1 }, at]],
    ],
    [
      'counts a retry separately',
      tried({ ...A, status: 'failed' }),
      tried({ ...A, status: 'failed' }, A),
      [['A', begun, at]],
    ],
    [
      'counts a retry with another variant for that variant',
      tried({ ...A, status: 'failed' }),
      tried({ ...A, status: 'failed' }, inVariant('B')),
      [['B', begun, at]],
    ],
    ['counts a canceled attempt as sent only', tried(A), tried({ ...A, status: 'canceled' }), []],
    ['counts nothing for a change without effect', tried(A), tried({ ...A, phase: 'unknown' }), []],
  ])('%s', (_, old, next, expected) => expect(counted(old, next)).toEqual(expected));

  it('counts an attempt on the day it started', () => {
    expect(counted(undefined, tried({ ...A, started_at: '2026-03-04T23:59:59.999Z' }))).toEqual([
      ['A', { transactions: 1, 'sent:USD': 1, 'day:2026-03-04': 1 }, at],
    ]);
  });
});
