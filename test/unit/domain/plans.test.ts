import { describe, expect, it } from 'vitest';
import { assertVerified, isVerified } from '#shared/domain/accounts/organization.rules.ts';
import {
  assertFeature,
  assertPaymentsLeft,
  assertWithinLimit,
  effectivePlan,
  hasPaymentsLeft,
  isExpiredUsage,
  limitOf,
  monthEnd,
  monthOf,
} from '#shared/domain/accounts/plan.rules.ts';
import { type Metric, PLANS, type PlanName } from '#shared/domain/accounts/plans.catalog.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { paymentDeltas } from '#shared/domain/reporting/totals.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { aPayment } from '#test/support/payment.builder.ts';

const AT = new Date('2026-11-28T12:00:00.000Z');

/** The refusal as the API returns it. */
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

describe('the effective plan', () => {
  it.each<[string, PlanName | undefined, Stage, PlanName]>([
    ['is the largest in the sandbox, whatever plan is set', 'free', 'sandbox', 'scale'],
    ['is the organization’s plan on the live stage', 'growth', 'live', 'growth'],
    ['is the smallest for an unknown organization', undefined, 'live', 'free'],
  ])('%s', (_, plan, stage, expected) => expect(effectivePlan(plan && { plan }, stage)).toBe(expected));

  it('has the specified number', () => {
    expect(PLANS.free.limits).toEqual({ connections: 2, api_keys: 5, payments: 100, workflow_executions: 50 });
    expect(Object.values(PLANS.scale.limits)).toEqual([null, null, null, null]);
    for (const metric of Object.keys(PLANS.free.limits) as Metric[])
      expect(limitOf('growth', metric)).toBeGreaterThan(PLANS.free.limits[metric]);
  });
});

describe('a limit', () => {
  it.each<[string, PlanName, Metric, number, boolean]>([
    ['allows the last one', 'free', 'payments', 99, false],
    ['refuses the next one', 'free', 'payments', 100, true],
    ['refuses a number beyond it', 'free', 'payments', 103, true],
    ['has a limit that grows with the plan', 'growth', 'payments', 100, false],
    ['is absent in the largest plan', 'scale', 'payments', 1_000_000, false],
    ['applies to the number of connections', 'free', 'connections', 2, true],
    ['applies to workflow executions', 'free', 'workflow_executions', 50, true],
  ])('%s', (_, plan, metric, used, isRefused) =>
    expect(refusal(() => assertWithinLimit(plan, metric, used, AT)) !== undefined).toBe(isRefused),
  );

  it('returns what was used, the limit and the reset time, all as text', () => {
    expect(refusal(() => assertWithinLimit('free', 'payments', 102, AT))).toEqual({
      status: 402,
      code: 'plan_limit_reached',
      message: 'The plan free includes 100 payments per month. Upgrade to a larger plan, or wait until next month.',
      details: { metric: 'payments', used: '102', limit: '100', reset: '2026-12-01T00:00:00.000Z' },
    });
    expect(refusal(() => assertWithinLimit('free', 'api_keys', 5, AT))?.message).toBe(
      'The plan free includes 5 API keys. Upgrade to a larger plan, or revoke an API key.',
    );
  });

  it('of payments counts this month only', () => {
    const account = (usage: Readonly<Record<string, number>>) => ({ organization: { plan: 'free' as const }, usage });
    const full = account({ 'payments:2026-11': 100 });
    expect([hasPaymentsLeft(full, 'live', AT), hasPaymentsLeft(full, 'sandbox', AT)]).toEqual([false, true]);
    expect(refusal(() => assertPaymentsLeft(full, 'live', AT))?.code).toBe('plan_limit_reached');
    expect(refusal(() => assertPaymentsLeft(full, 'live', new Date('2026-12-01T00:00:00.000Z')))).toBeUndefined();
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
    expect(refusal(() => assertFeature(plan, 'ab_tests')) === undefined).toBe(isThere),
  );

  it('that is not included is named', () => {
    expect(refusal(() => assertFeature('free', 'ab_tests'))).toEqual({
      status: 402,
      code: 'feature_not_in_plan',
      message: 'The plan free does not include A/B tests. Upgrade to a larger plan.',
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
    expect([monthOf(at), monthEnd(new Date(at)).toISOString()]).toEqual([month, end]),
  );

  it.each([
    ['payments:2025-11', false],
    ['payments:2025-10', true],
    ['workflow_executions:2024-01', true],
    ['good:2024-01', false],
    ['total_calls', false],
  ])('expires %s: %s', (name, isOver) => expect(isExpiredUsage(name, AT)).toBe(isOver));
});

describe('the usage of a payment', () => {
  const usage = (old: Payment | undefined, next: Payment | undefined) =>
    paymentDeltas(old, next).filter(({ of }) => of.kind === 'usage');
  const intent = aPayment({
    status: 'created',
    attempts: [],
    created_at: '2026-11-30T23:59:59.999Z',
    updated_at: '2026-12-01T00:00:00.000Z',
  });

  it('is one payment in the month of its creation (UTC)', () => {
    expect(usage(undefined, intent)).toEqual([
      { of: { kind: 'usage', org_id: intent.org_id }, add: { 'payments:2026-11': 1 } },
    ]);
  });

  it('stays one, whatever its status', () => {
    for (const status of ['succeeded', 'failed', 'canceled', 'refunded'] as const)
      expect(usage(intent, { ...intent, status })).toEqual([]);
    expect(usage(intent, undefined)).toEqual([]);
  });
});

describe('a KYC status', () => {
  it.each([
    ['approved', true],
    ['pending', false],
    ['rejected', false],
    [undefined, false],
  ] as const)('%s allows live payments: %s', (kyc, opens) => {
    expect([isVerified(kyc && { kyc }), refusal(() => assertVerified(kyc && { kyc }))?.code]).toEqual([
      opens,
      opens ? undefined : 'kyc_required',
    ]);
  });
});
