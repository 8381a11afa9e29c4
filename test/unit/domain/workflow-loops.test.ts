import { describe, expect, it } from 'vitest';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Step, StepType, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { describeLoop, loopOf } from '#shared/domain/workflows/workflow-loops.rules.ts';

const AT = '2026-01-01T00:00:00.000Z';
const times = { created_at: AT, updated_at: AT, version: 1 };
const template = (id: string, ...types: StepType[]): Template => ({
  id,
  org_id: 'org_1',
  name: id,
  steps: types.map((type, n) => ({ id: `s${n}`, type })) as readonly Step[],
  ...times,
});
const rule = (id: string, event: EventType, template_id: string, more: Partial<WorkflowRule> = {}): WorkflowRule => ({
  id,
  org_id: 'org_1',
  name: `Rule ${id}`,
  event,
  condition: null,
  template_id,
  enabled: true,
  priority: 0,
  counts_since: AT,
  ...times,
  ...more,
});
const templates = [
  template('refund', 'notify', 'refund_payment'),
  template('capture', 'capture_payment'),
  template('cancel', 'cancel_payment'),
  template('pause', 'delay', 'pause_subscription'),
  template('tell', 'notify', 'tag_payment', 'http_request', 'condition'),
  template('all', 'refund_payment', 'cancel_payment', 'pause_subscription'),
];
const loop = (...rules: WorkflowRule[]) => loopOf({ rules, templates })?.map(({ id }) => id);

describe('a loop of rules', () => {
  it.each<[string, readonly WorkflowRule[], readonly string[] | undefined]>([
    ['does not exist without rules', [], undefined],
    ['consists of one rule whose own action causes its event', [rule('a', 'payment.refunded', 'refund')], ['a']],
    ['includes a capture that is to follow a failed one', [rule('a', 'payment.capture_failed', 'capture')], ['a']],
    ['does not include a pause, which causes no update event', [rule('a', 'subscription.updated', 'pause')], undefined],
    ['does not include a step that only notifies', [rule('a', 'payment.refunded', 'tell')], undefined],
    [
      'does not include a chain that ends',
      [
        rule('a', 'payment.failed', 'refund'),
        rule('b', 'payment.refunded', 'cancel'),
        rule('c', 'payment.canceled', 'pause'),
      ],
      undefined,
    ],
    [
      'consists of two rules',
      [rule('a', 'payment.refunded', 'cancel'), rule('b', 'payment.canceled', 'refund')],
      ['a', 'b'],
    ],
    [
      'consists of three rules, without the rule that leads to them',
      [
        rule('x', 'payment.succeeded', 'refund'),
        rule('a', 'payment.refunded', 'cancel'),
        rule('b', 'payment.canceled', 'pause'),
        rule('c', 'subscription.paused', 'refund'),
      ],
      ['a', 'b', 'c'],
    ],
    ['includes a disabled rule', [rule('a', 'payment.refunded', 'refund', { enabled: false })], ['a']],
    [
      'includes a rule whatever its condition',
      [rule('a', 'payment.refunded', 'refund', { condition: 'false' })],
      ['a'],
    ],
    ['does not include a rule whose template was deleted', [rule('a', 'payment.refunded', 'never')], undefined],
    [
      'is the shortest of several',
      [rule('a', 'payment.refunded', 'all'), rule('b', 'payment.canceled', 'tell')],
      ['a'],
    ],
  ])('%s', (_, rules, found) => expect(loop(...rules)).toEqual(found));

  it('is described by the names of its rules', () => {
    expect(describeLoop([rule('a', 'payment.refunded', 'cancel'), rule('b', 'payment.canceled', 'refund')])).toBe(
      'The events that "Rule a" (a), then "Rule b" (b) cause start the first rule again. Workflows must not loop.',
    );
  });

  it('is found quickly among a hundred rules', () => {
    const many = Array.from({ length: 100 }, (_, n) =>
      rule(`r${n}`, n % 2 ? 'payment.refunded' : 'payment.failed', n % 2 ? 'pause' : 'all'),
    );
    const before = performance.now();
    expect(loop(...many)).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
