import type { RunningTest } from '#shared/domain/ab-test.model.ts';
import { chooseVariant } from '#shared/domain/ab-test-choice.rules.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { type HealthOf, rankByDefault } from '#shared/domain/default-routing.rules.ts';
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
};

type Considered = RoutingNote['considered'][number];

const MOST_NOTED = 10;

/**
 * Where a payment can go, in order, and why. A running test that takes it decides, then the first rule that matches; what
 * the rule says of falling back counts for failover too. Without either, default routing does.
 */
export const routePayment = (setup: RoutingSetup, want: Want): Route => byTest(setup, want) ?? byRule(setup, want);

/** The variant's rule gives the connection, whatever else it says of itself. Where that can't take the payment, it is none of the test's. */
function byTest(setup: RoutingSetup, want: Want): Route | undefined {
  const chosen = chooseVariant(setup.tests, want);
  const rule = chosen && setup.rules.find(({ id }) => id === chosen.variant.routing_rule_id);
  if (!chosen || !rule) return undefined;
  const { connection, rest, considered } = follow(rule, setup, want);
  if (!connection) return undefined;
  const note = { source: 'ab_test', ab_test_id: chosen.test.id, variant: chosen.variant.name, rule_id: rule.id, considered } as const;
  return { ranked: [connection, ...(rest?.ranked ?? [])], note };
}

function byRule(setup: RoutingSetup, want: Want): Route {
  const rule = matchRule(setup.rules, want);
  if (!rule) return byDefault(setup, want);
  const { connection, rest, considered } = follow(rule, setup, want);
  if (connection) return { ranked: [connection, ...(rest?.ranked ?? [])], note: { source: 'rule', rule_id: rule.id, considered } };
  return { ranked: rest?.ranked ?? [], note: { source: rest ? 'default' : 'rule', rule_id: rule.id, considered } };
}

/** Where a rule leads: to its connection, if that is usable, and on from there if the rule may fall back. */
function follow(rule: RoutingRule, setup: RoutingSetup, want: Want) {
  const named = setup.connections.find(({ id }) => id === rule.connection_id);
  const reason = named ? whyNot(named, rule, setup, want) : 'not_found';
  const first: Considered = { connection_id: rule.connection_id, usable: reason === null, reason };
  const rest = rule.fallback_to_default ? byDefault(setup, want, rule.connection_id) : undefined;
  return { connection: reason === null ? named : undefined, rest, considered: noted([first, ...(rest?.note.considered ?? [])]) };
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

/** A rule that may fall back does not insist on a connection that is down. */
function whyNot(connection: Connection, rule: RoutingRule, { healthOf }: RoutingSetup, want: Want): string | null {
  const reason = unusable(connection, want);
  if (reason !== undefined) return reason;
  return rule.fallback_to_default && healthOf(connection.id).status === 'down' ? 'down' : null;
}

function byDefault({ connections, healthOf }: RoutingSetup, want: Want, except?: string): Route {
  const others = connections.filter(({ id }) => id !== except);
  const { ranked, considered } = rankByDefault(others, want, healthOf);
  return { ranked, note: { source: 'default', considered: noted(considered) } };
}

const noted = (considered: readonly Considered[]): readonly Considered[] => considered.slice(0, MOST_NOTED);
