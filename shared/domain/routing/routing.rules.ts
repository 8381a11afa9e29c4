import type { RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import { chooseVariant } from '#shared/domain/routing/ab-test-choice.rules.ts';
import { hasEnded } from '#shared/domain/routing/ab-test-running.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { type HealthOf, probes, rankByDefault } from '#shared/domain/routing/default-routing.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { unusable, type Want } from '#shared/domain/routing/usable-connection.rules.ts';

export type Route = { readonly ranked: readonly Connection[]; readonly note: RoutingNote };

/** An organization's data for routing. */
export type RoutingSetup = {
  readonly connections: readonly Connection[];
  readonly rules: readonly RoutingRule[];
  readonly tests: readonly RunningTest[];
  readonly healthOf: HealthOf;
  readonly at: Date;
};

type Considered = RoutingNote['considered'];

const MOST_NOTED = 10;

/**
 * The connections for a payment, in order, and why. A running test that takes it decides, then the first matching rule,
 * whose `fallback_to_default` also governs failover. Without either, default routing applies.
 */
export function routePayment(setup: RoutingSetup, want: Want): Route {
  const trial = trialFor(setup, want);
  if (!trial) return byRule(setup, want);
  const { ranked, considered, takes } = follow(trial.rule, setup, want);
  if (!takes) return alsoTold(byRule(setup, want), considered.slice(0, 1));
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
function trialFor({ tests, rules, at }: RoutingSetup, want: Want) {
  const running = tests.filter((test) => !hasEnded(test, at));
  const chosen = chooseVariant(running, want);
  const rule = chosen && rules.find(({ id }) => id === chosen.variant.routing_rule_id);
  return chosen && rule && { ...chosen, rule };
}

function byRule(setup: RoutingSetup, want: Want): Route {
  const rule = matchRule(setup.rules, want);
  if (!rule) return byDefault(setup, want);
  const { ranked, considered, takes } = follow(rule, setup, want);
  return {
    ranked,
    note: { source: takes || !rule.fallback_to_default ? 'rule' : 'default', rule_id: rule.id, considered },
  };
}

/** A rule's route: its connection, if that takes the payment, then default routing if the rule may fall back. */
function follow(rule: RoutingRule, setup: RoutingSetup, want: Want) {
  const named = setup.connections.find(({ id }) => id === rule.connection_id);
  const rest = rule.fallback_to_default ? byDefault(setup, want, rule.connection_id) : NOWHERE;
  const reason = named ? whyNot(named, rule, rest, setup, want) : 'not_found';
  const takes = reason === null;
  return {
    takes,
    ranked: named && takes ? [named, ...rest.ranked] : rest.ranked,
    considered: noted([{ connection_id: rule.connection_id, usable: takes, reason }, ...rest.note.considered], 1),
  };
}

const NOWHERE: Route = { ranked: [], note: { source: 'default', considered: [] } };

/** Notes why a variant's connection was not taken, unless the route has it anyway. */
function alsoTold({ ranked, note }: Route, first: Considered): Route {
  const others = first.filter(({ connection_id }) =>
    note.considered.every((each) => each.connection_id !== connection_id),
  );
  return { ranked, note: { ...note, considered: noted([...others, ...note.considered], others.length + 1) } };
}

/**
 * The highest priority, the oldest of equals; empty `methods` match every method. A payment without a country matches
 * no rule.
 */
export function matchRule(
  rules: readonly RoutingRule[],
  { country, method }: Pick<Want, 'country' | 'method'>,
): RoutingRule | undefined {
  if (country === null) return undefined;
  let best: RoutingRule | undefined;
  for (const rule of rules) {
    const fits =
      rule.enabled && rule.countries.includes(country) && (rule.methods.length === 0 || rule.methods.includes(method));
    if (fits && (!best || goesBefore(rule, best))) best = rule;
  }
  return best;
}

/** Ids sort by creation time. */
const goesBefore = (a: RoutingRule, b: RoutingRule): boolean =>
  a.priority !== b.priority
    ? a.priority > b.priority
    : a.created_at !== b.created_at
      ? a.created_at < b.created_at
      : a.id < b.id;

/**
 * A rule that may fall back does not insist on a connection that is down: only probes go there, or all payments while
 * everything else is down too.
 */
function whyNot(
  connection: Connection,
  rule: RoutingRule,
  rest: Route,
  { healthOf }: RoutingSetup,
  want: Want,
): string | null {
  const isDown = ({ id }: Connection) => healthOf(id).status === 'down';
  const reason = unusable(connection, want);
  if (reason !== undefined) return reason;
  const insists =
    !rule.fallback_to_default || !isDown(connection) || probes(want.id, connection.id) || rest.ranked.every(isDown);
  return insists ? null : 'down';
}

function byDefault({ connections, healthOf }: RoutingSetup, want: Want, except?: string): Route {
  const others = connections.filter(({ id }) => id !== except);
  const { ranked, considered } = rankByDefault(others, want, healthOf);
  return { ranked, note: { source: 'default', considered: noted(considered) } };
}

/**
 * At most ten, in order. After the `pinned` ones, usable connections are kept before unusable ones, so that the note
 * always has the connection that was chosen.
 */
function noted(considered: Considered, pinned = 0): Considered {
  const [first, rest] = [considered.slice(0, pinned), considered.slice(pinned)];
  const kept = new Set(
    [...first, ...rest.filter(({ usable }) => usable), ...rest.filter(({ usable }) => !usable)].slice(0, MOST_NOTED),
  );
  return considered.filter((each) => kept.has(each));
}
