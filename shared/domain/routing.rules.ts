import type { RunningTest } from '#shared/domain/ab-test.model.ts';
import { chooseVariant } from '#shared/domain/ab-test-choice.rules.ts';
import { hasEnded } from '#shared/domain/ab-test-running.rules.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { type HealthOf, probes, rankByDefault } from '#shared/domain/default-routing.rules.ts';
import type { RoutingNote } from '#shared/domain/payment.model.ts';
import type { RoutingRule } from '#shared/domain/routing-rule.model.ts';
import { unusable, type Want } from '#shared/domain/usable-connection.rules.ts';

export type Route = { readonly ranked: readonly Connection[]; readonly note: RoutingNote };

/** What an organization has to decide with. */
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
 * Where a payment can go, in order, and why. A running test that takes it decides, then the first rule that matches; what
 * the rule says of falling back counts for failover too. Without either, default routing does.
 */
export function routePayment(setup: RoutingSetup, want: Want): Route {
  const trial = trialFor(setup, want);
  if (!trial) return byRule(setup, want);
  const { ranked, considered, takes } = follow(trial.rule, setup, want);
  if (!takes) return alsoTold(byRule(setup, want), considered.slice(0, 1));
  return { ranked, note: { source: 'ab_test', ab_test_id: trial.test.id, variant: trial.variant.name, rule_id: trial.rule.id, considered } };
}

/** The variant's rule gives the connection, whatever else it says of itself. Where that can't take the payment, it is none of the test's. */
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
  return { ranked, note: { source: takes || !rule.fallback_to_default ? 'rule' : 'default', rule_id: rule.id, considered } };
}

/** Where a rule leads: to its connection, if that takes the payment, and on from there if the rule may fall back. */
function follow(rule: RoutingRule, setup: RoutingSetup, want: Want) {
  const named = setup.connections.find(({ id }) => id === rule.connection_id);
  const rest = rule.fallback_to_default ? byDefault(setup, want, rule.connection_id) : NOWHERE;
  const reason = named ? whyNot(named, rule, rest, setup, want) : 'not_found';
  const takes = reason === null;
  return {
    takes,
    ranked: named && takes ? [named, ...rest.ranked] : rest.ranked,
    considered: noted([{ connection_id: rule.connection_id, usable: takes, reason }, ...rest.note.considered]),
  };
}

const NOWHERE: Route = { ranked: [], note: { source: 'default', considered: [] } };

/** What a variant's connection was not taken for, unless the route tells of it anyway. */
function alsoTold({ ranked, note }: Route, first: Considered): Route {
  const others = first.filter(({ connection_id }) => note.considered.every((each) => each.connection_id !== connection_id));
  return { ranked, note: { ...note, considered: noted([...others, ...note.considered]) } };
}

/** Highest priority first, the oldest of equals; an empty `methods` means every method. No country, no rule. */
export function matchRule(rules: readonly RoutingRule[], { country, method }: Pick<Want, 'country' | 'method'>): RoutingRule | undefined {
  if (country === null) return undefined;
  let best: RoutingRule | undefined;
  for (const rule of rules) {
    const fits = rule.enabled && rule.countries.includes(country) && (rule.methods.length === 0 || rule.methods.includes(method));
    if (fits && (!best || goesBefore(rule, best))) best = rule;
  }
  return best;
}

/** An id sorts by the time it was made. */
const goesBefore = (a: RoutingRule, b: RoutingRule): boolean =>
  a.priority !== b.priority ? a.priority > b.priority : a.created_at !== b.created_at ? a.created_at < b.created_at : a.id < b.id;

/**
 * A rule that may fall back does not insist on a connection that is down: only the few payments that probe it go there, and
 * all do where nothing else is up.
 */
function whyNot(connection: Connection, rule: RoutingRule, rest: Route, { healthOf }: RoutingSetup, want: Want): string | null {
  const isDown = ({ id }: Connection) => healthOf(id).status === 'down';
  const reason = unusable(connection, want);
  if (reason !== undefined) return reason;
  const insists = !rule.fallback_to_default || !isDown(connection) || probes(want.id, connection.id) || rest.ranked.every(isDown);
  return insists ? null : 'down';
}

function byDefault({ connections, healthOf }: RoutingSetup, want: Want, except?: string): Route {
  const others = connections.filter(({ id }) => id !== except);
  const { ranked, considered } = rankByDefault(others, want, healthOf);
  return { ranked, note: { source: 'default', considered: noted(considered) } };
}

const noted = (considered: Considered): Considered => considered.slice(0, MOST_NOTED);
