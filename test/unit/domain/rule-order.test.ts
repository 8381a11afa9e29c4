import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBefore } from '#shared/domain/routing/routing.rules.ts';
import { MAX_PRIORITY, prioritiesFor } from '#shared/domain/routing/rule-order.rules.ts';

type Rule = { readonly id: string; readonly priority: number; readonly created_at: string };

const rulesOf = (priorities: readonly number[]): readonly Rule[] =>
  priorities.map((priority, n) => ({ id: `rule_${n}`, priority, created_at: `2026-01-${String(n + 10)}` }));
const sorted = (rules: readonly Rule[]) => rules.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
const moved = (rules: readonly Rule[], from: number, to: number) => {
  const rest = rules.filter((_, n) => n !== from);
  const [rule] = rules.slice(from, from + 1);
  return rule ? rest.toSpliced(to, 0, rule) : rules;
};
const applied = (ordered: readonly Rule[]) => {
  const priorities = prioritiesFor(ordered);
  return ordered.map((rule) => ({ ...rule, priority: priorities.get(rule.id) ?? rule.priority }));
};
const namesOf = (rules: readonly Rule[]) => rules.map(({ id }) => id);

describe('the priorities for an order of rules', () => {
  it.each<[string, number[], number, number, Record<string, number>]>([
    ['change nothing where the order is the same', [30, 20, 10], 1, 1, {}],
    ['change the moved rule alone where there is room', [40, 30, 20, 10], 3, 1, { rule_3: 35 }],
    ['put a rule that moves to the top above the first', [0, 0, 0], 2, 0, { rule_2: 10 }],
    ['put a rule that moves to the end below the last', [0, 0, 0], 0, 2, { rule_0: -10 }],
  ])('%s', (_, priorities, from, to, expected) => {
    expect(Object.fromEntries(prioritiesFor(moved(rulesOf(priorities), from, to)))).toEqual(expected);
  });

  it('change one of two neighbours where there is no number between them', () => {
    expect(prioritiesFor(moved(rulesOf([3, 2, 1]), 2, 1)).size).toBe(1);
  });

  it('lead to that order whatever the priorities were, within their limits', () => {
    const edges = fc.constantFrom(-MAX_PRIORITY, MAX_PRIORITY, MAX_PRIORITY - 1);
    const priority = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -50, max: 50 }), edges);
    const orders = fc
      .array(priority, { maxLength: 30 })
      .chain((priorities) => fc.shuffledSubarray([...rulesOf(priorities)], { minLength: priorities.length }));
    fc.assert(
      fc.property(orders, (ordered) => {
        const result = applied(ordered);
        expect(namesOf(sorted(result))).toEqual(namesOf(ordered));
        expect(result.every((rule) => Math.abs(rule.priority) <= MAX_PRIORITY)).toBe(true);
        expect(prioritiesFor(result).size).toBe(0);
      }),
    );
  });

  it('change one rule where one of 500 with room between them moves', () => {
    const rules = rulesOf(Array.from({ length: 500 }, (_, n) => 5_000 - n * 10)).map((rule, n) => ({
      ...rule,
      created_at: `2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z`,
    }));
    expect(prioritiesFor(moved(rules, 400, 3)).size).toBe(1);
  });
});
