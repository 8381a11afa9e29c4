import { describe, expect, it } from 'vitest';
import { isVerified, refuseUnverified } from '#shared/domain/accounts/kyc.rules.ts';
import {
  effectivePlan,
  hasPaymentsLeft,
  limitOf,
  refuseBeyond,
  refusePaymentBeyond,
  refuseWithout,
} from '#shared/domain/accounts/plan.rules.ts';
import { type Metric, PLANS, type PlanName } from '#shared/domain/accounts/plans.catalog.ts';
import { isOldUsage, monthEnds, monthOf } from '#shared/domain/accounts/usage.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { deltasOf } from '#shared/domain/reporting/totals.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { aPayment } from '#test/support/payment.builder.ts';

const AT = new Date('2026-11-28T12:00:00.000Z');

/** What is refused, as it would be answered. */
function refusal(work: () => void) {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, code, message, details } = error;
    return { status, code, message, details };
  }
}

describe('the plan that counts', () => {
  it.each<[string, PlanName | undefined, Stage, PlanName]>([
    ['is the largest in the sandbox, whatever was booked', 'free', 'sandbox', 'scale'],
    ['is the one that was booked where money is real', 'growth', 'live', 'growth'],
    ['is the smallest where nobody knows the organization', undefined, 'live', 'free'],
  ])('%s', (_, plan, stage, expected) => expect(effectivePlan(plan && { plan }, stage)).toBe(expected));

  it('holds what the contract says', () => {
    expect(PLANS.free.limits).toEqual({ connections: 2, api_keys: 5, payments: 100, workflow_executions: 50 });
    expect(Object.values(PLANS.scale.limits)).toEqual([null, null, null, null]);
    for (const metric of Object.keys(PLANS.free.limits) as Metric[])
      expect(limitOf('growth', metric)).toBeGreaterThan(PLANS.free.limits[metric]);
  });
});

describe('a limit', () => {
  it.each<[string, PlanName, Metric, number, boolean]>([
    ['takes the last one', 'free', 'payments', 99, false],
    ['refuses the one after it', 'free', 'payments', 100, true],
    ['refuses what came too far meanwhile', 'free', 'payments', 103, true],
    ['is wider in a larger plan', 'growth', 'payments', 100, false],
    ['is none in the largest', 'scale', 'payments', 1_000_000, false],
    ['of connections is their number', 'free', 'connections', 2, true],
    ['of workflows is one more counter', 'free', 'workflow_executions', 50, true],
  ])('%s', (_, plan, metric, used, isRefused) =>
    expect(refusal(() => refuseBeyond(plan, metric, used, AT)) !== undefined).toBe(isRefused),
  );

  it('tells what was used, of how many, and until when, all of it as text', () => {
    expect(refusal(() => refuseBeyond('free', 'payments', 102, AT))).toEqual({
      status: 402,
      code: 'plan_limit_reached',
      message: 'The plan free holds 100 payments a month. Choose a larger plan, or wait for the next month.',
      details: { metric: 'payments', used: '102', limit: '100', reset: '2026-12-01T00:00:00.000Z' },
    });
    expect(refusal(() => refuseBeyond('free', 'api_keys', 5, AT))?.message).toBe(
      'The plan free holds 5 API keys. Choose a larger plan, or revoke one.',
    );
  });

  it('of payments counts those of this month alone', () => {
    const account = (usage: Readonly<Record<string, number>>) => ({ organization: { plan: 'free' as const }, usage });
    const full = account({ 'payments:2026-11': 100 });
    expect([hasPaymentsLeft(full, 'live', AT), hasPaymentsLeft(full, 'sandbox', AT)]).toEqual([false, true]);
    expect(refusal(() => refusePaymentBeyond(full, 'live', AT))?.code).toBe('plan_limit_reached');
    expect(refusal(() => refusePaymentBeyond(full, 'live', new Date('2026-12-01T00:00:00.000Z')))).toBeUndefined();
    expect(hasPaymentsLeft(account({ 'payments:2026-10': 900, 'workflow_executions:2026-11': 900 }), 'live', AT)).toBe(
      true,
    );
  });
});

describe('a feature', () => {
  it.each<[PlanName, boolean]>([
    ['free', false],
    ['growth', true],
    ['scale', true],
  ])('of A/B tests in the plan %s: %s', (plan, isThere) =>
    expect(refusal(() => refuseWithout(plan, 'ab_tests')) === undefined).toBe(isThere),
  );

  it('that is missing is named', () => {
    expect(refusal(() => refuseWithout('free', 'ab_tests'))).toEqual({
      status: 402,
      code: 'feature_not_in_plan',
      message: 'The plan free does not have A/B tests. Choose a larger plan.',
      details: { feature: 'ab_tests', plan: 'free' },
    });
  });
});

describe('a month', () => {
  it.each([
    ['2026-11-28T12:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ])('of %s is %s, and ends on %s', (at, month, end) =>
    expect([monthOf(at), monthEnds(new Date(at)).toISOString()]).toEqual([month, end]),
  );

  it.each([
    ['payments:2025-11', false],
    ['payments:2025-10', true],
    ['workflow_executions:2024-01', true],
    ['good:2024-01', false],
    ['total_calls', false],
  ])('named %s is over: %s', (name, isOver) => expect(isOldUsage(name, AT)).toBe(isOver));
});

describe('the usage of a payment', () => {
  const usage = (old: Payment | undefined, next: Payment | undefined) =>
    deltasOf(old, next).filter(({ of }) => of.kind === 'usage');
  const intent = aPayment({
    status: 'created',
    attempts: [],
    created_at: '2026-11-30T23:59:59.999Z',
    updated_at: '2026-12-01T00:00:00.000Z',
  });

  it('is one, in the month of its creation, in UTC', () => {
    expect(usage(undefined, intent)).toEqual([
      { of: { kind: 'usage', org_id: intent.org_id }, add: { 'payments:2026-11': 1 } },
    ]);
  });

  it('stays one, whatever becomes of it', () => {
    for (const status of ['succeeded', 'failed', 'canceled', 'refunded'] as const)
      expect(usage(intent, { ...intent, status })).toEqual([]);
    expect(usage(intent, undefined)).toEqual([]);
  });
});

describe('a verification', () => {
  it.each([
    ['approved', true],
    ['pending', false],
    ['rejected', false],
    [undefined, false],
  ] as const)('that is %s opens: %s', (kyc, opens) => {
    expect([isVerified(kyc && { kyc }), refusal(() => refuseUnverified(kyc && { kyc }))?.code]).toEqual([
      opens,
      opens ? undefined : 'kyc_required',
    ]);
  });
});
