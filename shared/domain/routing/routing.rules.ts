import type { RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import { chooseVariant, hasEnded } from '#shared/domain/routing/ab-test-running.rules.ts';
import {
  type Candidate,
  type Ranking,
  type RatedCandidate,
  type RoutedPayment,
  rankCandidates,
  rateCandidate,
} from '#shared/domain/routing/candidates.rules.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { RoutedRule } from '#shared/domain/routing/routing-rule.model.ts';

/** The connections to try for a payment, in order, and why. */
export type RoutingPlan = { readonly ranked: readonly RoutedConnection[]; readonly note: RoutingNote };

/** What an organization has configured for routing. */
export type RoutingConfig = { readonly rules: readonly RoutedRule[]; readonly tests: readonly RunningTest[] };

type ConsideredConnections = RoutingNote['considered'];
type OrderedRule = Pick<RoutedRule, 'id' | 'priority' | 'created_at'>;

/** How many connections a routing note names. */
const MAX_CONSIDERED = 10;

/**
 * A running A/B test that includes the payment decides. Otherwise the first matching rule does: its
 * `fallback_to_default` also governs failover. Otherwise default routing applies.
 */
export function planRouting(
  payment: RoutedPayment,
  candidates: readonly Candidate[],
  { rules, tests }: RoutingConfig,
  at: Date,
): RoutingPlan {
  const rated = candidates.map((candidate) => rateCandidate(candidate, payment));
  const chosenTest = tests.length === 0 ? undefined : chooseTest(payment, rules, tests, at);
  if (!chosenTest) return planByRule(payment, rated, rules);
  const { ranked, considered, isTaken } = applyRule(chosenTest.rule, rated);
  if (!isTaken) return withRejectedVariant(planByRule(payment, rated, rules), considered.slice(0, 1));
  return {
    ranked,
    note: {
      source: 'ab_test',
      ab_test_id: chosenTest.test.id,
      variant: chosenTest.variant.name,
      rule_id: chosenTest.rule.id,
      considered,
    },
  };
}

/** A variant uses only the connection of its rule. If that cannot take the payment, the test does not apply. */
function chooseTest(payment: RoutedPayment, rules: readonly RoutedRule[], tests: readonly RunningTest[], at: Date) {
  const running = tests.filter((test) => !hasEnded(test, at));
  const chosen = chooseVariant(running, payment);
  const rule = chosen && rules.find(({ id }) => id === chosen.variant.routing_rule_id);
  return chosen && rule && { ...chosen, rule };
}

function planByRule(
  payment: RoutedPayment,
  rated: readonly RatedCandidate[],
  rules: readonly RoutedRule[],
): RoutingPlan {
  const rule = matchRule(rules, payment);
  if (!rule) {
    const { ranked, considered } = rankCandidates(rated);
    return { ranked, note: { source: 'default', considered: limitConsidered(considered) } };
  }
  const { ranked, considered, isTaken } = applyRule(rule, rated);
  const source = isTaken || !rule.fallback_to_default ? 'rule' : 'default';
  return { ranked, note: { source, rule_id: rule.id, considered } };
}

const NO_CANDIDATES: Ranking = { ranked: [], considered: [] };

/** The rule's connection, if it can take the payment. Then, if the rule may fall back, default routing. */
function applyRule(rule: RoutedRule, rated: readonly RatedCandidate[]): Ranking & { readonly isTaken: boolean } {
  const ruleCandidate = rated.find(({ connection }) => connection.id === rule.connection_id);
  const others = rated.filter((each) => each !== ruleCandidate);
  const rest = rule.fallback_to_default ? rankCandidates(others) : NO_CANDIDATES;
  const reason = ruleCandidate ? rejectionReason(ruleCandidate, rule, others, rest) : 'not_found';
  const isTaken = reason === null;
  return {
    isTaken,
    ranked: ruleCandidate && isTaken ? [ruleCandidate.connection, ...rest.ranked] : rest.ranked,
    considered: limitConsidered(
      [{ connection_id: rule.connection_id, usable: isTaken, reason }, ...limitConsidered(rest.considered)],
      1,
    ),
  };
}

/**
 * Why a rule's connection is not used, or null if it is. If the connection is down and the rule may fall back, it gets
 * only probes, unless all others are down too.
 */
function rejectionReason(
  { reason, isDown, isProbed }: RatedCandidate,
  { fallback_to_default }: RoutedRule,
  others: readonly RatedCandidate[],
  { ranked }: Ranking,
): string | null {
  if (reason !== null) return reason;
  if (!fallback_to_default || !isDown || isProbed) return null;
  const isAnotherUp = others.some((other) => !other.isDown && ranked.includes(other.connection));
  return isAnotherUp ? 'down' : null;
}

/** Adds why a variant's connection was not used, unless the plan considers that connection anyway. */
function withRejectedVariant({ ranked, note }: RoutingPlan, first: ConsideredConnections): RoutingPlan {
  const others = first.filter(({ connection_id }) =>
    note.considered.every((each) => each.connection_id !== connection_id),
  );
  return { ranked, note: { ...note, considered: limitConsidered([...others, ...note.considered], others.length + 1) } };
}

/**
 * The matching rule with the highest priority, then the oldest. Empty `methods` match every method. A payment without a
 * country matches no rule.
 */
export function matchRule(
  rules: readonly RoutedRule[],
  { country, method }: Pick<RoutedPayment, 'country' | 'method'>,
): RoutedRule | undefined {
  if (country === null) return undefined;
  let best: RoutedRule | undefined;
  for (const rule of rules) {
    const matches =
      rule.enabled && rule.countries.includes(country) && (rule.methods.length === 0 || rule.methods.includes(method));
    if (matches && (!best || isBefore(rule, best))) best = rule;
  }
  return best;
}

export function isBefore(a: OrderedRule, b: OrderedRule): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  // Ids sort by creation time as well.
  return a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at;
}

/**
 * At most `MAX_CONSIDERED`, in order. After the `pinned` ones, usable connections are kept before unusable ones, so
 * that the note always has the chosen connection.
 */
function limitConsidered(considered: ConsideredConnections, pinned = 0): ConsideredConnections {
  if (considered.length <= MAX_CONSIDERED) return considered;
  const [first, rest] = [considered.slice(0, pinned), considered.slice(pinned)];
  const retained = new Set(
    [...first, ...rest.filter(({ usable }) => usable), ...rest.filter(({ usable }) => !usable)].slice(
      0,
      MAX_CONSIDERED,
    ),
  );
  return considered.filter((each) => retained.has(each));
}
