import type { RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { RunningTest, Variant } from '#shared/domain/routing/ab-test.model.ts';
import { chooseVariant, hasEnded, isTargeted } from '#shared/domain/routing/ab-test-running.rules.ts';
import type { RoutedPayment } from '#shared/domain/routing/candidates.rules.ts';
import { isBefore, matchRule } from '#shared/domain/routing/routing.rules.ts';
import type { RoutedRule } from '#shared/domain/routing/routing-rule.model.ts';

/** A rule, in a list that may be an edited one. */
type NamedRule = RoutedRule & { readonly name: string };

/** A condition of a rule or a test: what it asks for (nothing: anything will do), and what the payment has. */
export type Condition = {
  readonly condition: 'enabled' | 'country' | 'method' | 'currency';
  readonly holds: boolean;
  readonly wanted: readonly string[];
  readonly seen: string | null;
};

/**
 * `decides`: the payment goes to its connection. `connection_unusable`: it matches first, but its connection cannot take
 * the payment. `earlier_rule` and `ab_test`: it matches, but that one decides.
 */
type RuleResult = 'decides' | 'connection_unusable' | 'earlier_rule' | 'ab_test' | 'no_match';

/** A country that no rule names, as it is none: so that one condition is asked alone. */
const ANYWHERE = 'ZZ';

/** Every rule in the order in which they are tried, with why it decides or does not. */
export function explainRules(rules: readonly NamedRule[], payment: RoutedPayment, { note, taken }: Decided) {
  const ordered = rules.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const first = matchRule(rules, payment);
  return ordered.map((rule, index) => {
    const { id, name, connection_id, fallback_to_default } = rule;
    return {
      id,
      name,
      position: index + 1,
      connection_id,
      fallback_to_default,
      result: resultOf(rule, first, payment, { note, taken }),
      conditions: conditionsOf(rule, payment),
    };
  });
}

/** How it ended: the note that a payment would carry, and the connection that it goes to first. */
type Decided = { readonly note: RoutingNote; readonly taken: string | undefined };

function resultOf(
  rule: RoutedRule,
  first: RoutedRule | undefined,
  payment: RoutedPayment,
  { note, taken }: Decided,
): RuleResult {
  if (!matchRule([rule], payment)) return 'no_match';
  if (note.source === 'ab_test') return 'ab_test';
  if (rule !== first) return 'earlier_rule';
  return note.source === 'rule' && taken === rule.connection_id ? 'decides' : 'connection_unusable';
}

/** Each condition is put to the rule's own match with the others open, so that it cannot differ from what routes. */
function conditionsOf(rule: RoutedRule, payment: RoutedPayment): readonly Condition[] {
  const { country, method } = payment;
  const { enabled, countries, methods } = rule;
  const anywhere = { country: ANYWHERE, method };
  const open = { ...rule, enabled: true, countries: [ANYWHERE], methods: [] };
  const holds = (only: Partial<RoutedRule>, asked: typeof payment | typeof anywhere) =>
    matchRule([{ ...open, ...only }], asked) !== undefined;
  return [
    { condition: 'enabled', holds: holds({ enabled }, anywhere), wanted: ['true'], seen: String(enabled) },
    { condition: 'country', holds: holds({ countries }, payment), wanted: countries, seen: country },
    { condition: 'method', holds: holds({ methods }, anywhere), wanted: methods, seen: method },
  ];
}

/**
 * `decides`: the payment goes to the chosen variant. `variant_unusable`: it would, but the variant's connection cannot
 * take it, or its rule is gone. `not_in_traffic`: it is targeted, and not among the share that takes part.
 */
type TestResult = 'decides' | 'variant_unusable' | 'not_in_traffic' | 'no_match' | 'ended';

/** Every running test with why it decides or does not, and which share of such payments each variant gets. */
export function explainTests(
  tests: readonly RunningTest[],
  rules: readonly RoutedRule[],
  payment: RoutedPayment,
  { note, at }: { readonly note: RoutingNote; readonly at: Date },
) {
  return tests.map((test) => {
    const chosen = hasEnded(test, at) ? undefined : chooseVariant([test], payment)?.variant;
    return {
      id: test.id,
      result: testResultOf(test, payment, { chosen, note, at }),
      traffic_percentage: test.traffic_percentage,
      conditions: targetsOf(test, payment),
      variants: test.variants.map((variant) => ({
        name: variant.name,
        routing_rule_id: variant.routing_rule_id,
        connection_id: rules.find(({ id }) => id === variant.routing_rule_id)?.connection_id ?? null,
        share: shareOf(variant, test),
        chosen: variant === chosen,
      })),
    };
  });
}

function testResultOf(
  test: RunningTest,
  payment: RoutedPayment,
  { chosen, note, at }: { readonly chosen: Variant | undefined; readonly note: RoutingNote; readonly at: Date },
): TestResult {
  if (hasEnded(test, at)) return 'ended';
  if (!isTargeted(test, payment)) return 'no_match';
  if (!chosen) return 'not_in_traffic';
  return note.ab_test_id === test.id ? 'decides' : 'variant_unusable';
}

/** As with rules, each target is asked with the others open. */
function targetsOf(test: RunningTest, payment: RoutedPayment): readonly Condition[] {
  const { target_currencies, target_countries, target_methods } = test;
  const open = { ...test, target_currencies: [], target_countries: [], target_methods: [] };
  const { currency, country, method } = payment;
  const holds = (only: Partial<RunningTest>) => isTargeted({ ...open, ...only }, payment);
  return [
    { condition: 'currency', holds: holds({ target_currencies }), wanted: target_currencies, seen: currency },
    { condition: 'country', holds: holds({ target_countries }), wanted: target_countries, seen: country },
    { condition: 'method', holds: holds({ target_methods }), wanted: target_methods, seen: method },
  ];
}

/** Of the targeted payments, 0 to 1. */
function shareOf({ weight }: Variant, { variants, traffic_percentage }: RunningTest): number {
  const weights = variants.reduce((sum, each) => sum + each.weight, 0);
  return Math.round((traffic_percentage * weight * 100) / weights) / 10_000;
}
