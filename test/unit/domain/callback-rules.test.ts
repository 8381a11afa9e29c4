import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { adoptCharge, attemptFor } from '#shared/domain/payments/callback.rules.ts';
import { sentThrough } from '#shared/domain/payments/payment.machine.ts';
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

describe('a callback speaks of', () => {
  it.each<[string, Attempt[], (string | null)[], string | undefined]>([
    ['the attempt with its reference', [failed, open, unknown], ['ref of failed'], 'failed'],
    ['the attempt with its other reference', [failed, open, unknown], ['cs_1', 'ref of failed'], 'failed'],
    ['the attempt with its reference, paid or not', [paid, open], ['ref of paid'], 'paid'],
    [
      'the attempt with its reference, at whichever connection',
      [at('conn_b', failed), open],
      ['ref of failed'],
      'failed at conn_b',
    ],
    ['the open attempt, by a reference that is new', [failed, unknown], ['ch_new'], 'unknown'],
    ['the open attempt, also when a later one has ended', [open, failed], ['ch_new'], 'open'],
    ['the newest of two open ones', [open, unknown], ['ch_new'], 'unknown'],
    [
      'the ended one that never had a reference, before one that has',
      [
        { ...failed, psp_reference: null },
        { ...failed, id: 'failed later' },
      ],
      ['ch_new'],
      'failed',
    ],
    [
      'the newest that ended unpaid, for want of a better',
      [failed, { ...failed, id: 'failed later' }],
      ['ch_new'],
      'failed later',
    ],
    ['the attempt that it names as ours, before one that is open', [failed, open], ['ch_new', 'failed'], 'failed'],
    [
      'the attempt with its reference, before the one that it names as ours',
      [failed, open],
      ['open', 'ref of failed'],
      'failed',
    ],
    [
      'no attempt, where the one that it names as ours is paid by another charge',
      [paid, open],
      ['ch_new', 'paid'],
      undefined,
    ],
    ['no attempt, where all there are paid', [paid], ['ch_new'], undefined],
    ['no attempt of another connection', [at('conn_b', open)], ['ch_new'], undefined],
    ['no attempt, where there is none', [], ['ch_new'], undefined],
    [
      'the open attempt, not one without a reference, by none',
      [{ ...failed, psp_reference: null }, open],
      [null],
      'open',
    ],
  ])('%s', (_, attempts, references, expected) =>
    expect(attemptFor(aPayment({ attempts }), { connection_id: 'conn_a' }, references)?.id).toBe(expected),
  );
});

describe('a callback of an account whose credentials were replaced', () => {
  const [before, after] = [
    { ...failed, credentials_mark: 'old' },
    { ...open, credentials_mark: 'new' },
  ];
  it.each([
    ['the attempt that was sent there, before an open one that was not', [before, after], 'old', 'failed'],
    ['the attempt that was sent there', [before, after], 'new', 'open'],
    ['any other for want of one, as it may be the same account', [before], 'new', 'failed'],
  ])('speaks of %s', (_, attempts, credentials_mark, expected) =>
    expect(attemptFor(aPayment({ attempts }), { connection_id: 'conn_a', credentials_mark }, ['ch_new'])?.id).toBe(
      expected,
    ),
  );
});

describe('a charge that no attempt accounts for', () => {
  const adopted = adoptCharge(
    aPayment({ status: 'succeeded' }),
    sentThrough(aConnection({ id: 'conn_b', provider: 'adyen' })),
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

  it('has the same id whoever adopts it at that moment', () =>
    expect(
      adoptCharge(aPayment(), sentThrough(aConnection({ id: 'conn_b', provider: 'adyen' })), 'ch_9', later(1))
        .attemptId,
    ).toBe(adopted.attemptId));

  it('is given back where the payment is paid', () => {
    const settled = settle(adopted.payment, adopted.attemptId, says.succeeded({ reference: 'ch_9' }), later(1));
    expect(settled).toMatchObject({
      status: 'succeeded',
      connection_id: 'conn_a',
      refunds: [{ attempt_id: adopted.attemptId, reason: 'duplicate_charge' }],
    });
  });

  it('notes the account that speaks', () => {
    const through = sentThrough(aConnection({ id: 'conn_b', credentials_mark: 'old', generation: 2 }));
    expect(adoptCharge(aPayment(), through, 'ch_9', later(1)).payment.attempts.at(-1)).toMatchObject({
      credentials_mark: 'old',
      generation: 2,
    });
  });

  it('is found by its reference from then on', () =>
    expect(attemptFor(adopted.payment, { connection_id: 'conn_b' }, ['ch_9'])?.id).toBe(adopted.attemptId));
});
