import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { statsOf } from '#shared/domain/payments/stats.rules.ts';
import { executionDeltas, paymentDeltas } from '#shared/domain/reporting/totals.rules.ts';
import { callsView, healthOf, minuteName, minuteOf } from '#shared/domain/routing/health.rules.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { aFailure, anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const adds = (old: Payment | undefined, next: Payment | undefined, kind: 'day' | 'calls') =>
  paymentDeltas(old, next)
    .filter(({ of }) => of.kind === kind)
    .map(({ of, add }) => [
      'connection_id' in of && of.connection_id,
      Object.fromEntries(Object.entries(add).filter(([name]) => !name.includes(':'))),
    ]);

describe('a change of a payment', () => {
  const paid = aPayment({ status: 'succeeded' });
  const elsewhere = aPayment({
    status: 'succeeded',
    attempts: [anAttempt({ connection_id: 'conn_b', status: 'succeeded' })],
  });
  it.each<[string, Payment | undefined, Payment | undefined, unknown]>([
    ['counts a new payment', undefined, aPayment(), [['conn_a', { processing: 1 }]]],
    [
      'moves it to another status, with the volume',
      aPayment(),
      paid,
      [['conn_a', { processing: -1, succeeded: 1, volume: 5_000 }]],
    ],
    [
      'moves it to another connection',
      aPayment(),
      elsewhere,
      [
        ['conn_a', { processing: -1 }],
        ['conn_b', { succeeded: 1, volume: 5_000 }],
      ],
    ],
    ['counts a partial refund', paid, { ...paid, amount_refunded: 1_000 }, [['conn_a', { refunded_amount: 1_000 }]]],
    [
      'counts a full refund without lowering the volume',
      paid,
      { ...paid, status: 'refunded', amount_refunded: 5_000 },
      [['conn_a', { succeeded: -1, refunded: 1, refunded_amount: 5_000 }]],
    ],
    [
      'reverses a refund that failed',
      { ...paid, amount_refunded: 1_000 },
      paid,
      [['conn_a', { refunded_amount: -1_000 }]],
    ],
    ['counts nothing for other fields', paid, { ...paid, outbox: [], version: 9 }, []],
  ])('%s', (_, old, next, expected) => expect(adds(old, next, 'day')).toEqual(expected));

  it('is counted on the day of creation in UTC', () => {
    const [delta] = paymentDeltas(
      undefined,
      aPayment({ created_at: '2026-03-01T23:59:59.999Z', updated_at: '2026-03-05T00:00:00.000Z' }),
    );
    expect(delta?.of).toMatchObject({ day: '2026-03-01', currency: 'USD', provider: 'stripe' });
  });
});

describe('a workflow execution', () => {
  const made = { org_id: 'org_1', status: 'pending', created_at: '2026-03-31T23:59:59.999Z' } as Execution;
  it.each<[string, Execution | undefined, Execution | undefined, unknown]>([
    ['is counted in the month of its creation', undefined, made, { 'workflow_executions:2026-03': 1 }],
    ['is counted once, whatever its status', made, { ...made, status: 'failed' }, undefined],
    ['is not counted if it was refused', undefined, { ...made, status: 'refused' }, undefined],
    ['is still counted when it is deleted', made, undefined, undefined],
  ])('%s', (_, old, next, expected) => {
    const deltas = executionDeltas(old, next);
    expect(deltas.map(({ of }) => of)).toEqual(expected ? [{ kind: 'usage', org_id: 'org_1' }] : []);
    expect(deltas[0]?.add).toEqual(expected);
  });
});

describe('a call', () => {
  const calling = aPayment();
  const became = (attempt: Partial<Attempt>): Payment =>
    aPayment({ attempts: [anAttempt({ latency_ms: 80, ...attempt })] });
  const good = { total_calls: 1, successful_calls: 1, total_latency_ms: 80 };
  const bad = { total_calls: 1, failed_calls: 1, total_latency_ms: 80 };
  it.each<[string, Payment | undefined, Payment, unknown]>([
    ['is not counted while it is running', undefined, calling, []],
    ['is a success if it succeeded', calling, became({ status: 'succeeded' }), [['conn_a', good]]],
    ['is a success if its verdict comes later', calling, became({ status: 'requires_action' }), [['conn_a', good]]],
    ['is a success if the issuer declined', calling, became({ status: 'failed' }), [['conn_a', good]]],
    [
      'is a failure if the provider was not reached',
      calling,
      became({ status: 'failed', failure: aFailure('provider_unavailable') }),
      [['conn_a', bad]],
    ],
    [
      'is a failure if the credentials or the account were at fault',
      calling,
      became({ status: 'failed', failure: aFailure('invalid_configuration') }),
      [['conn_a', bad]],
    ],
    [
      'is a success if the request had an unknown fault',
      calling,
      became({ status: 'failed', failure: aFailure('invalid_configuration'), call: 'answered' }),
      [['conn_a', good]],
    ],
    [
      'is a success if the amount was refused',
      calling,
      became({ status: 'failed', failure: aFailure('amount_not_supported') }),
      [['conn_a', good]],
    ],
    [
      'is a success if the currency was refused',
      calling,
      became({ status: 'failed', failure: aFailure('currency_not_supported') }),
      [['conn_a', good]],
    ],
    [
      'is not counted if it was never sent, whatever its failure',
      calling,
      became({ status: 'failed', failure: aFailure('invalid_configuration'), call: 'none' }),
      [],
    ],
    [
      'has no latency if it was never sent',
      became({ status: 'failed', latency_ms: null, call: 'none' }),
      became({ status: 'failed', call: 'none' }),
      [],
    ],
    ['is a failure without a response', calling, became({ phase: 'unknown' }), [['conn_a', bad]]],
    [
      'is counted once: a later verdict is not another call',
      became({ phase: 'unknown' }),
      became({ status: 'succeeded' }),
      [],
    ],
    [
      'gets its latency later',
      became({ status: 'succeeded', latency_ms: null }),
      became({ status: 'succeeded' }),
      [['conn_a', { total_latency_ms: 80 }]],
    ],
  ])('%s', (_, old, next, expected) => expect(adds(old, next, 'calls')).toEqual(expected));

  it('is counted for its connection: a failover is a call to each', () => {
    const failed = anAttempt({ id: 'att_1', status: 'failed', failure: aFailure('provider_unavailable') });
    const second = anAttempt({ id: 'att_2', connection_id: 'conn_b' });
    const over = aPayment({ attempts: [failed, second] });
    const paid = aPayment({
      status: 'succeeded',
      attempts: [failed, { ...second, status: 'succeeded', phase: 'final' }],
    });
    expect(adds(calling, over, 'calls')).toEqual([['conn_a', { total_calls: 1, failed_calls: 1 }]]);
    expect(adds(over, paid, 'calls')).toEqual([['conn_b', { total_calls: 1, successful_calls: 1 }]]);
  });
});

describe('the health of a connection', () => {
  const minute = (ago: number, good: number, bad: number, ms = 100 * (good + bad)) => {
    const at = minuteOf(START) - ago;
    return { [minuteName('good', at)]: good, [minuteName('bad', at)]: bad, [minuteName('ms', at)]: ms };
  };
  it.each([
    ['is unknown without calls', {}, null, 'unknown'],
    ['is unknown when all calls are old', minute(20, 9, 0), null, 'unknown'],
    ['is healthy while calls succeed', minute(1, 9, 0), 100, 'healthy'],
    ['is unknown when one of a few fails', minute(0, 3, 1), 75, 'unknown'],
    ['is unknown when a few fail in different minutes', { ...minute(0, 0, 2), ...minute(19, 0, 2) }, 0, 'unknown'],
    ['is degraded by the fifth failure', { ...minute(0, 0, 4), ...minute(19, 0, 1) }, 0, 'degraded'],
    ['is degraded when many fail', minute(0, 6, 4), 60, 'degraded'],
    ['is degraded, not down, when few calls all fail', minute(0, 0, 9), 0, 'degraded'],
    ['is down when most of ten fail', minute(0, 4, 6), 40, 'down'],
    ['is not down at half of ten failures', minute(0, 5, 5), 50, 'degraded'],
    ['is down by failures of up to five minutes ago', minute(5, 0, 12), 0, 'down'],
    ['is not down by failures of more than five minutes ago', minute(6, 0, 50), 0, 'degraded'],
    [
      'weighs a call half as much as one that is five minutes younger',
      { ...minute(5, 0, 6), ...minute(0, 3, 0) },
      50,
      'degraded',
    ],
    ['loses a fifth for responses that take ten seconds', minute(0, 4, 0, 40_000), 80, 'healthy'],
  ])('%s', (_, sums, health_score, health_status) =>
    expect(healthOf(sums, START)).toEqual({ health_score, health_status }),
  );

  it('is shown with zeros before the first call', () => {
    expect(callsView(undefined, later(0))).toMatchObject({
      total_calls: 0,
      failed_calls: 0,
      last_success_at: null,
      health_status: 'unknown',
    });
  });
});

describe('payment statistics', () => {
  const day = (about: object) => ({
    day: '2026-03-01',
    currency: 'EUR',
    connection_id: 'conn_a',
    provider: 'stripe',
    sums: {},
    ...about,
  });
  it('add up the days, with amounts by currency', () => {
    const stats = statsOf({ from: '2026-03-01', to: '2026-03-02' }, [
      day({ sums: { succeeded: 2, volume: 300 } }),
      day({
        currency: 'JPY',
        day: '2026-03-02',
        provider: 'adyen',
        sums: { refunded: 1, failed: 1, volume: 7, refunded_amount: 7 },
      }),
      day({ provider: null, sums: { created: 0 } }),
    ]);
    expect(stats).toMatchObject({
      total: 4,
      by_status: { succeeded: 2, refunded: 1, failed: 1, created: 0 },
      success_rate: 0.75,
      by_currency: [
        { currency: 'EUR', total: 2, volume: 300 },
        { currency: 'JPY', volume: 7, refunded_amount: 7, success_rate: 0.5 },
      ],
      by_provider: [
        { provider: 'adyen', money: [{ currency: 'JPY', volume: 7 }] },
        { provider: 'stripe', total: 2 },
      ],
      by_day: [
        { day: '2026-03-01', total: 2 },
        { day: '2026-03-02', total: 2 },
      ],
    });
  });

  it('leave authorizations that nobody captured out of the rate, and count one that is retried again', () => {
    const failure = failureOf(declineOf('authorization_expired'));
    const lapsed = aPayment({ status: 'failed', failure });
    expect(adds(undefined, lapsed, 'day')).toEqual([['conn_a', { failed: 1, uncaptured: 1 }]]);
    const retried = { ...lapsed, status: 'processing', failure: null } as const;
    expect(adds(lapsed, retried, 'day')).toEqual([['conn_a', { failed: -1, uncaptured: -1, processing: 1 }]]);
    const rateOf = (sums: object) => statsOf({ from: '', to: '' }, [day({ sums })]).success_rate;
    expect(rateOf({ succeeded: 3, failed: 3, uncaptured: 2 })).toBe(0.75);
    expect(rateOf({ failed: 2, uncaptured: 2 })).toBeNull();
    // Counted by an earlier release, and retried now.
    expect(rateOf({ succeeded: 1, failed: 1, uncaptured: -1 })).toBe(0.5);
  });

  it('have no rate before any payment has an outcome', () =>
    expect(statsOf({ from: '', to: '' }, []).success_rate).toBeNull());
});
