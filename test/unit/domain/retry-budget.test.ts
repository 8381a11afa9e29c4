import { describe, expect, it } from 'vitest';
import { FAILURES, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import {
  availableFrom,
  isDeclined,
  markBudgetExhausted,
  newDecline,
  RETRY_WINDOWS,
  slotUse,
} from '#shared/domain/payments/retry-budget.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { aFailure, anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { PER_DAY, PER_MONTH } from '#test/support/retry-limits.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const declined = anAttempt({ status: 'failed' });
const broken = anAttempt({ status: 'failed', failure: aFailure('provider_unavailable') });
const open = anAttempt();

describe('a decline', () => {
  it('is a refusal by the issuer', () => {
    const codes = (Object.keys(FAILURES) as FailureCode[]).filter((code) => isDeclined(aFailure(code)));
    expect(codes).toEqual([
      'insufficient_funds',
      'card_declined',
      'do_not_honor',
      'limit_exceeded',
      'try_again_later',
      'issuer_unavailable',
      'incorrect_cvc',
      'invalid_expiry',
      'incorrect_pin',
      'call_issuer',
      'expired_card',
      'card_not_supported',
      'transaction_not_allowed',
      'invalid_payment_method',
      'invalid_number',
      'lost_card',
      'stolen_card',
      'restricted_card',
      'invalid_account',
      'authorization_revoked',
      'fraud_suspected',
    ]);
  });

  it.each([
    ['of the current attempt is new', [open], [declined], 'att_1'],
    [
      'of the current attempt is new when the payment fails over',
      [open],
      [declined, anAttempt({ id: 'att_2' })],
      'att_1',
    ],
    ['after a failure without a response is new', [{ ...broken, phase: 'unknown' as const }], [declined], 'att_1'],
    ['is not new when it was declined before', [declined], [declined], undefined],
    ['is not another failure', [open], [broken], undefined],
    ['is not a cancel', [open], [anAttempt({ status: 'canceled' })], undefined],
    ['is not an action of the customer', [open], [anAttempt({ status: 'requires_action' })], undefined],
    [
      'of an earlier attempt, with an unknown token, is not new',
      [open, anAttempt({ id: 'att_2' })],
      [declined, anAttempt({ id: 'att_2' })],
      undefined,
    ],
    ['of a payment that was never sent is not new', [], [declined], undefined],
  ])('%s', (_, before, after, id) => {
    expect(newDecline(aPayment({ attempts: before }), aPayment({ attempts: after }))?.id).toBe(id);
  });
});

describe('a slot of the retry budget', () => {
  it.each([
    ['is used while its attempt is open', open, 'used'],
    ['is used when its attempt was declined', declined, 'used'],
    ['is idle when its attempt succeeded', anAttempt({ status: 'succeeded', phase: 'final' }), 'idle'],
    ['is idle when its attempt failed otherwise', broken, 'idle'],
    ['is idle when its attempt was canceled', anAttempt({ status: 'canceled', phase: 'final' }), 'idle'],
    ['is missing when the attempt was never made', undefined, 'missing'],
  ])('%s', (_, attempt, state) => expect(slotUse(attempt)).toBe(state));
});

describe('the limits of the card schemes', () => {
  it('are 8 declines in a day and 15 in 30 days', () =>
    expect(RETRY_WINDOWS.map(({ length, limit }) => [length / DAY, limit])).toEqual([
      [1, 8],
      [30, 15],
    ]));
});

describe('a free slot', () => {
  const repeated = (times: number, day: number) => Array.from({ length: times }, () => day);
  const at = (...days: readonly number[]) => days.map((day) => later(day * DAY).toISOString());
  it.each([
    ['exists now if every window has one', at(...repeated(PER_DAY - 1, 0)), at(0), START],
    [
      'exists when the oldest decline within the limit leaves the day',
      at(0.3, 0.2, ...repeated(PER_DAY - 2, 0.5), 0.1),
      at(0),
      later(1.2 * DAY),
    ],
    [
      'exists when the oldest decline within the limit leaves the month',
      at(0),
      at(3, ...Array.from({ length: PER_MONTH }, (_, n) => 5 + n)),
      later(35 * DAY),
    ],
    ['exists when every window has one', at(...repeated(PER_DAY, 20)), at(...repeated(PER_MONTH, 1)), later(31 * DAY)],
  ])('%s', (_, day, month, from) => expect(availableFrom({ day, month }, START)).toEqual(from));
});

describe('a payment that stops at its retry budget', () => {
  const routing = { source: 'default', considered: [] } as const;
  it.each([
    [
      'records why when it has failed',
      aPayment({ status: 'failed', routing }),
      { ...routing, stopped: 'retry_budget_exhausted' },
    ],
    ['records nothing with another outcome', aPayment({ status: 'succeeded', routing }), routing],
    ['records nothing without routing', aPayment({ status: 'failed' }), null],
  ])('%s', (_, payment, told) => expect(markBudgetExhausted(payment)?.routing).toEqual(told));
});
