import { describe, expect, it } from 'vitest';
import { advance, allows, type PaymentStep } from '#shared/domain/payments/payment.machine.ts';
import type { PaymentStatus } from '#shared/domain/payments/payment.model.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const STATUSES = [
  'created',
  'processing',
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'refunded',
] as const satisfies readonly PaymentStatus[];
const STEPS = [
  'start',
  'ask_customer',
  'resume',
  'succeed',
  'fail',
  'cancel',
  'retry',
  'refund_all',
  'refund_fails',
  'authorize',
  'capture_all',
  'capture_fails',
  'void',
  'lapse',
] as const satisfies readonly PaymentStep[];

/** Every possible transition; others are refused. */
const MOVES: Readonly<Record<string, PaymentStatus>> = {
  'created → start': 'processing',
  'created → fail': 'failed',
  'created → cancel': 'canceled',
  'processing → ask_customer': 'requires_action',
  'processing → succeed': 'succeeded',
  'processing → fail': 'failed',
  'processing → cancel': 'canceled',
  'requires_action → ask_customer': 'requires_action',
  'requires_action → resume': 'processing',
  'requires_action → succeed': 'succeeded',
  'requires_action → fail': 'failed',
  'requires_action → cancel': 'canceled',
  'failed → retry': 'processing',
  'failed → fail': 'failed',
  'failed → succeed': 'succeeded',
  'succeeded → refund_all': 'refunded',
  'refunded → refund_fails': 'succeeded',
  'processing → authorize': 'authorized',
  'requires_action → authorize': 'authorized',
  'failed → authorize': 'authorized',
  'authorized → capture_all': 'succeeded',
  'authorized → void': 'canceled',
  'authorized → lapse': 'failed',
  'succeeded → capture_fails': 'authorized',
};

/** The codes for steps that a client requests; a refused internal step is an internal error. */
const REFUSED_WITH: Readonly<Record<PaymentStep, string>> = {
  start: 'payment_not_confirmable',
  resume: 'payment_not_confirmable',
  cancel: 'payment_not_cancelable',
  retry: 'payment_not_retryable',
  ask_customer: 'internal_error',
  succeed: 'internal_error',
  fail: 'internal_error',
  refund_all: 'internal_error',
  refund_fails: 'internal_error',
  authorize: 'internal_error',
  capture_all: 'internal_error',
  capture_fails: 'internal_error',
  void: 'internal_error',
  lapse: 'internal_error',
};

const PAIRS = STATUSES.flatMap((status) =>
  STEPS.map((step) => ({ status, step, becomes: MOVES[`${status} → ${step}`] })),
);

describe('a payment', () => {
  it.each(PAIRS.filter((pair) => pair.becomes))(
    'that is $status becomes $becomes by $step',
    ({ status, step, becomes }) => {
      const payment = aPayment({ status });
      expect(allows(payment, step)).toBe(true);
      expect(advance(payment, step, later(1))).toMatchObject({ status: becomes, updated_at: later(1).toISOString() });
    },
  );

  it.each(PAIRS.filter((pair) => !pair.becomes))('that is $status refuses to $step', ({ status, step }) => {
    const payment = aPayment({ status });
    expect(allows(payment, step)).toBe(false);
    expect(() => advance(payment, step, later(1))).toThrow(expect.objectContaining({ code: REFUSED_WITH[step] }));
  });

  it.each(STEPS.filter((step) => `requires_action → ${step}` in MOVES && step !== 'ask_customer'))(
    'loses its next action by %s',
    (step) => expect(advance(aPayment({ status: 'requires_action' }), step, later(1)).next_action).toBeNull(),
  );

  it('keeps its next action while the customer has to act', () => {
    const payment = aPayment({ status: 'requires_action' });
    expect(advance(payment, 'ask_customer', later(1)).next_action).toEqual(payment.next_action);
  });

  it('is named with its status in the error', () =>
    expect(() => advance(aPayment({ status: 'succeeded' }), 'cancel', later(1))).toThrow(
      "A succeeded payment can't be canceled.",
    ));
});
