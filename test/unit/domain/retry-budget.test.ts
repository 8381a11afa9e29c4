import { describe, expect, it } from 'vitest';
import { FAILURES, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { isDeclined, newDecline, noteBudgetExhausted, availableFrom, slotUse } from '#shared/domain/payments/retry-budget.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { aFailure, anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const declined = anAttempt({ status: 'failed' });
const broken = anAttempt({ status: 'failed', failure: aFailure('provider_unavailable') });
const open = anAttempt();

describe('what counts as declined', () => {
  it('is what an issuer, or whoever answers for it, has refused', () => {
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
    ['the current attempt was open and is declined', [open], [declined], 'att_1'],
    ['it goes on to another connection with it', [open], [declined, anAttempt({ id: 'att_2' })], 'att_1'],
    ['it was lost sight of after it had failed', [{ ...broken, phase: 'unknown' as const }], [declined], 'att_1'],
    ['nothing where it was declined before', [declined], [declined], undefined],
    ['nothing where it failed otherwise', [open], [broken], undefined],
    ['nothing where it was canceled', [open], [anAttempt({ status: 'canceled' })], undefined],
    ['nothing where it waits for its customer', [open], [anAttempt({ status: 'requires_action' })], undefined],
    [
      'nothing of an earlier attempt, paid with who knows what',
      [open, anAttempt({ id: 'att_2' })],
      [declined, anAttempt({ id: 'att_2' })],
      undefined,
    ],
    ['nothing of a payment that was never sent', [], [declined], undefined],
  ])('%s', (_, before, after, id) => {
    expect(newDecline(aPayment({ attempts: before }), aPayment({ attempts: after }))?.id).toBe(id);
  });
});

describe('a slot', () => {
  it.each([
    ['is used while its attempt is on its way', open, 'used'],
    ['is used when it was declined', declined, 'used'],
    ['is idle when it succeeded', anAttempt({ status: 'succeeded', phase: 'final' }), 'idle'],
    ['is idle when it failed otherwise', broken, 'idle'],
    ['is idle when it was canceled', anAttempt({ status: 'canceled', phase: 'final' }), 'idle'],
    ['is missed by its payment when nobody made the attempt', undefined, 'missing'],
  ])('%s', (_, attempt, state) => expect(slotUse(attempt)).toBe(state));
});

describe('room', () => {
  const at = (...days: readonly number[]) => days.map((day) => later(day * DAY).toISOString());
  it.each([
    ['is there now while both windows have some', at(0, 0, 0, 0, 0, 0, 0), at(0), START],
    [
      'comes when the last but seven leaves the day',
      at(0.3, 0.2, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1),
      at(0),
      later(1.2 * DAY),
    ],
    [
      'comes when the last but fourteen leaves the month',
      at(0),
      at(3, ...Array.from({ length: 15 }, (_, n) => 5 + n)),
      later(35 * DAY),
    ],
    [
      'comes when both have some',
      at(...Array.from({ length: 8 }, () => 20)),
      at(...Array.from({ length: 15 }, () => 1)),
      later(31 * DAY),
    ],
  ])('%s', (_, day, month, from) => expect(availableFrom({ day, month }, START)).toEqual(from));
});

describe('a payment that went no further', () => {
  const routing = { source: 'default', considered: [] } as const;
  it.each([
    [
      'tells why when it has failed',
      aPayment({ status: 'failed', routing }),
      { ...routing, stopped: 'retry_budget_exhausted' },
    ],
    ['tells nothing where the news was another', aPayment({ status: 'succeeded', routing }), routing],
    ['tells nothing where it was not routed', aPayment({ status: 'failed' }), null],
  ])('%s', (_, payment, told) => expect(noteBudgetExhausted(payment)?.routing).toEqual(told));
});
