import { describe, expect, it } from 'vitest';
import { STEP_TYPES, type Step, type WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { assertRulesPerEvent, startsNewRuns } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { assertStepScopes } from '#shared/domain/workflows/workflow-scopes.rules.ts';

const AT = '2026-01-01T00:00:00.000Z';
const aRule = (about: Partial<WorkflowRule> = {}): WorkflowRule => ({
  id: 'wfr_1',
  org_id: 'org_1',
  name: 'A rule',
  event: 'payment.failed',
  condition: null,
  template_id: 'wft_1',
  enabled: true,
  priority: 0,
  created_at: AT,
  updated_at: AT,
  version: 1,
  counts_since: AT,
  ...about,
});

describe('a change of a rule', () => {
  it.each<[string, boolean, Partial<WorkflowRule>, Partial<WorkflowRule>]>([
    ['that enables it starts new runs', true, { enabled: false }, { enabled: true }],
    ['that disables it starts none', false, {}, { enabled: false }],
    ['of its event starts new runs', true, {}, { event: 'payment.created' }],
    ['of its condition starts new runs', true, {}, { condition: 'true' }],
    ['that removes its condition starts new runs', true, { condition: 'true' }, { condition: null }],
    ['of its template starts new runs', true, {}, { template_id: 'wft_2' }],
    ['of its name and priority starts none', false, {}, { name: 'Other', priority: 5 }],
    [
      'without effect starts none',
      false,
      { condition: 'true' },
      { enabled: true, condition: 'true', event: 'payment.failed', template_id: 'wft_1' },
    ],
  ])('%s', (_, expected, about, wish) =>
    expect(startsNewRuns(aRule(about), aRule({ ...about, ...wish }))).toBe(expected),
  );
});

describe('another rule of an event', () => {
  const rules = Array.from({ length: 10 }, (_, n) => aRule({ id: `wfr_${n}` }));
  const added = (about: Partial<WorkflowRule>, there = rules) =>
    assertRulesPerEvent(aRule({ id: 'wfr_new', ...about }), there);

  it('is refused beyond ten', () => {
    expect(() => added({})).toThrow(expect.objectContaining({ code: 'workflow_limit_reached' }));
    expect(added({}, rules.slice(1))).toBeUndefined();
    expect(added({ event: 'payment.created' })).toBeUndefined();
    expect(added({ id: 'wfr_3' })).toBeUndefined();
  });
});

describe('the scope of a step', () => {
  const NEEDED: Readonly<Record<string, string>> = {
    tag_payment: 'payments:write',
    cancel_payment: 'payments:write',
    capture_payment: 'payments:write',
    refund_payment: 'payments:write',
    pause_subscription: 'subscriptions:write',
  };
  const refuse = (type: string, scopes: readonly string[], person?: object) =>
    assertStepScopes([{ id: 'act', type } as Step], person ? { scopes, person } : { scopes });

  it.each(STEP_TYPES)('is required for %s', (type) => {
    const scope = NEEDED[type];
    expect(refuse(type, ['payments:write', 'subscriptions:write'])).toBeUndefined();
    if (scope === undefined) return expect(refuse(type, [])).toBeUndefined();
    const lack = (who: string) =>
      expect.objectContaining({
        code: 'missing_scope',
        message: expect.stringContaining(`This ${who} lacks the scope ${scope}`),
      });
    expect(() => refuse(type, ['workflows:write', 'payments:read'])).toThrow(lack('key'));
    return expect(() => refuse(type, [], {})).toThrow(lack('role'));
  });
});
