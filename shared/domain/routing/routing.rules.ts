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
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';

/** The connections for a payment, in order, and why. */
export type RoutingPlan = { readonly ranked: readonly Connection[]; readonly note: RoutingNote };

/** What an organization has configured for routing. */
export type RoutingConfig = { readonly rules: readonly RoutingRule[]; readonly tests: readonly RunningTest[] };

type ConsideredConnections = RoutingNote['considered'];

/** How many connections a routing note names. */
const MAX_NOTED = 10;

/**
 * A running test that takes the payment decides, then the first matching rule, whose `fallback_to_default` also governs
 * failover. Without either, default routing applies.
 */
export function planRouting(
  payment: RoutedPayment,
  candidates: readonly Candidate[],
  { rules, tests }: RoutingConfig,
  at: Date,
): RoutingPlan {
  const rated = candidates.map((candidate) => rateCandidate(candidate, payment));
  const trial = tests.length === 0 ? undefined : trialFor(payment, rules, tests, at);
  if (!trial) return planByRule(payment, rated, rules);
  const { ranked, considered, isTaken } = followRule(trial.rule, rated);
  if (!isTaken) return withRejected(planByRule(payment, rated, rules), considered.slice(0, 1));
  return {
    ranked,
    note: {
      source: 'ab_test',
      ab_test_id: trial.test.id,
      variant: trial.variant.name,
      rule_id: trial.rule.id,
      considered,
    },
  };
}

/** The variant's rule gives only the connection. Where that can't take the payment, the test does not apply. */
function trialFor(payment: RoutedPayment, rules: readonly RoutingRule[], tests: readonly RunningTest[], at: Date) {
  const running = tests.filter((test) => !hasEnded(test, at));
  const chosen = chooseVariant(running, payment);
  const rule = chosen && rules.find(({ id }) => id === chosen.variant.routing_rule_id);
  return chosen && rule && { ...chosen, rule };
}

function planByRule(
  payment: RoutedPayment,
  rated: readonly RatedCandidate[],
  rules: readonly RoutingRule[],
): RoutingPlan {
  const rule = matchRule(rules, payment);
  if (!rule) {
    const { ranked, considered } = rankCandidates(rated);
    return { ranked, note: { source: 'default', considered: firstNoted(considered) } };
  }
  const { ranked, considered, isTaken } = followRule(rule, rated);
  const source = isTaken || !rule.fallback_to_default ? 'rule' : 'default';
  return { ranked, note: { source, rule_id: rule.id, considered } };
}

const NO_CANDIDATES: Ranking = { ranked: [], considered: [] };

/** The rule's connection, if that takes the payment, then default routing if the rule may fall back. */
function followRule(rule: RoutingRule, rated: readonly RatedCandidate[]): Ranking & { readonly isTaken: boolean } {
  const named = rated.find(({ connection }) => connection.id === rule.connection_id);
  const others = rated.filter((each) => each !== named);
  const rest = rule.fallback_to_default ? rankCandidates(others) : NO_CANDIDATES;
  const reason = named ? rejection(named, rule, others, rest) : 'not_found';
  const isTaken = reason === null;
  return {
    isTaken,
    ranked: named && isTaken ? [named.connection, ...rest.ranked] : rest.ranked,
    considered: firstNoted(
      [{ connection_id: rule.connection_id, usable: isTaken, reason }, ...firstNoted(rest.considered)],
      1,
    ),
  };
}

/**
 * Why a rule's connection is not taken; null if it is. A rule that may fall back does not insist on a connection that
 * is down: only probes go there, or all payments while everything else is down too.
 */
function rejection(
  { reason, isDown, isProbed }: RatedCandidate,
  { fallback_to_default }: RoutingRule,
  others: readonly RatedCandidate[],
  { ranked }: Ranking,
): string | null {
  if (reason !== null) return reason;
  if (!fallback_to_default || !isDown || isProbed) return null;
  const isOneUp = others.some((other) => !other.isDown && ranked.includes(other.connection));
  return isOneUp ? 'down' : null;
}

/** Notes why a variant's connection was not taken, unless the plan considers it anyway. */
function withRejected({ ranked, note }: RoutingPlan, first: ConsideredConnections): RoutingPlan {
  const others = first.filter(({ connection_id }) =>
    note.considered.every((each) => each.connection_id !== connection_id),
  );
  return { ranked, note: { ...note, considered: firstNoted([...others, ...note.considered], others.length + 1) } };
}

/**
 * The highest priority, the oldest of equals; empty `methods` match every method. A payment without a country matches
 * no rule.
 */
export function matchRule(
  rules: readonly RoutingRule[],
  { country, method }: Pick<RoutedPayment, 'country' | 'method'>,
): RoutingRule | undefined {
  if (country === null) return undefined;
  let best: RoutingRule | undefined;
  for (const rule of rules) {
    const matches =
      rule.enabled && rule.countries.includes(country) && (rule.methods.length === 0 || rule.methods.includes(method));
    if (matches && (!best || isBefore(rule, best))) best = rule;
  }
  return best;
}

function isBefore(a: RoutingRule, b: RoutingRule): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  // Ids sort by creation time as well.
  return a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at;
}

/**
 * At most ten, in order. After the `pinned` ones, usable connections are kept before unusable ones, so that the note
 * always has the connection that was chosen.
 */
function firstNoted(considered: ConsideredConnections, pinned = 0): ConsideredConnections {
  if (considered.length <= MAX_NOTED) return considered;
  const [first, rest] = [considered.slice(0, pinned), considered.slice(pinned)];
  const noted = new Set(
    [...first, ...rest.filter(({ usable }) => usable), ...rest.filter(({ usable }) => !usable)].slice(0, MAX_NOTED),
  );
  return considered.filter((each) => noted.has(each));
}
