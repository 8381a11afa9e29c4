import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { adoptCharge, findReportedAttempt } from '#shared/domain/payments/callback.rules.ts';
import { attemptConnectionOf } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt } from '#shared/domain/payments/payment.model.ts';
import { aConnection, anAttempt, aPayment, says } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const [open, unknown, failed, paid] = [
  anAttempt({ id: 'open', phase: 'accepted' }),
  anAttempt({ id: 'unknown', phase: 'unknown' }),
  anAttempt({ id: 'failed', status: 'failed' }),
  anAttempt({ id: 'paid', status: 'succeeded' }),
];
const at = (connection_id: string, attempt: Attempt): Attempt => ({
  ...attempt,
  id: `${attempt.id} at ${connection_id}`,
  connection_id,
});

describe('the attempt of a callback is', () => {
  it.each<[string, Attempt[], (string | null)[], string | undefined]>([
    ['the attempt with its reference', [failed, open, unknown], ['ref of failed'], 'failed'],
    ['the attempt with its other reference', [failed, open, unknown], ['cs_1', 'ref of failed'], 'failed'],
    ['the attempt with its reference, whether paid or not', [paid, open], ['ref of paid'], 'paid'],
    [
      'the attempt with its reference, at any connection',
      [at('conn_b', failed), open],
      ['ref of failed'],
      'failed at conn_b',
    ],
    ['the open attempt for a new reference', [failed, unknown], ['ch_new'], 'unknown'],
    ['the open attempt, even if a later one has ended', [open, failed], ['ch_new'], 'open'],
    ['the newest of two open ones', [open, unknown], ['ch_new'], 'unknown'],
    [
      'an ended one without a reference, rather than one that has another',
      [
        { ...failed, psp_reference: null },
        { ...failed, id: 'failed later' },
      ],
      ['ch_new'],
      'failed',
    ],
    [
      'the newest that ended unpaid, if nothing else fits',
      [failed, { ...failed, id: 'failed later' }],
      ['ch_new'],
      'failed later',
    ],
    ['the attempt whose id it names, rather than one that is open', [failed, open], ['ch_new', 'failed'], 'failed'],
    [
      'the attempt with its reference, rather than the one whose id it names',
      [failed, open],
      ['open', 'ref of failed'],
      'failed',
    ],
    ['none if the attempt whose id it names was paid by another charge', [paid, open], ['ch_new', 'paid'], undefined],
    ['none if all attempts are paid', [paid], ['ch_new'], undefined],
    ['none at another connection', [at('conn_b', open)], ['ch_new'], undefined],
    ['none without attempts', [], ['ch_new'], undefined],
    [
      'the open attempt, not one without a reference, for a callback without a reference',
      [{ ...failed, psp_reference: null }, open],
      [null],
      'open',
    ],
  ])('%s', (_, attempts, references, expected) =>
    expect(findReportedAttempt(aPayment({ attempts }), { connection_id: 'conn_a' }, references)?.id).toBe(expected),
  );
});

describe('a callback from an account whose credentials were replaced', () => {
  const [before, after] = [
    { ...failed, credentials_mark: 'old' },
    { ...open, credentials_mark: 'new' },
  ];
  it.each([
    ['the attempt that was sent with them, rather than an open one that was not', [before, after], 'old', 'failed'],
    ['the attempt that was sent with them', [before, after], 'new', 'open'],
    ['any other attempt if there is none, because it may be the same account', [before], 'new', 'failed'],
  ])('belongs to %s', (_, attempts, credentials_mark, expected) =>
    expect(
      findReportedAttempt(aPayment({ attempts }), { connection_id: 'conn_a', credentials_mark }, ['ch_new'])?.id,
    ).toBe(expected),
  );
});

describe('a charge without an attempt', () => {
  const adopted = adoptCharge(
    aPayment({ status: 'succeeded' }),
    attemptConnectionOf(aConnection({ id: 'conn_b', provider: 'adyen' })),
    'ch_9',
    later(1),
  );

  it('becomes an attempt of its connection', () =>
    expect(adopted.payment.attempts[1]).toEqual(
      anAttempt({
        id: adopted.attemptId,
        connection_id: 'conn_b',
        provider: 'adyen',
        psp_reference: 'ch_9',
        phase: 'accepted',
        started_at: later(1).toISOString(),
      }),
    ));

  it('gets the same id whoever adopts it at that moment', () =>
    expect(
      adoptCharge(aPayment(), attemptConnectionOf(aConnection({ id: 'conn_b', provider: 'adyen' })), 'ch_9', later(1))
        .attemptId,
    ).toBe(adopted.attemptId));

  it('is refunded if the payment is paid', () => {
    const settled = settle(adopted.payment, adopted.attemptId, says.succeeded({ reference: 'ch_9' }), later(1));
    expect(settled).toMatchObject({
      status: 'succeeded',
      connection_id: 'conn_a',
      refunds: [{ attempt_id: adopted.attemptId, reason: 'duplicate_charge' }],
    });
  });

  it('records the credentials of the callback', () => {
    const through = attemptConnectionOf(aConnection({ id: 'conn_b', credentials_mark: 'old', generation: 2 }));
    expect(adoptCharge(aPayment(), through, 'ch_9', later(1)).payment.attempts.at(-1)).toMatchObject({
      credentials_mark: 'old',
      generation: 2,
    });
  });

  it('is found by its reference from then on', () =>
    expect(findReportedAttempt(adopted.payment, { connection_id: 'conn_b' }, ['ch_9'])?.id).toBe(adopted.attemptId));
});
