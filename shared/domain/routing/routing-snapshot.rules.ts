import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Connection, RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { RoutedRule, RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';

/** All that an organization has set up for its payments, as it is stored. */
export type RoutingSetup = {
  readonly organization: Organization | undefined;
  readonly connections: readonly Connection[];
  /** The ids of deleted connections: their payments remain. */
  readonly deletedConnections: readonly string[];
  readonly rules: readonly RoutingRule[];
  readonly tests: readonly RunningTest[];
  readonly fraud: FraudPolicy | undefined;
};

/** The part of a setup that a payment needs. Each payment reads it whole, so it has no credentials and no names. */
export type RoutingSnapshot = Pick<RoutingSetup, 'organization' | 'deletedConnections' | 'tests' | 'fraud'> & {
  readonly connections: readonly RoutedConnection[];
  /** Those that are enabled, and those of running tests. */
  readonly rules: readonly RoutedRule[];
};

export function snapshotOf(setup: RoutingSetup): RoutingSnapshot {
  const { organization, connections, deletedConnections, rules, tests, fraud } = setup;
  const tested = new Set(tests.flatMap(({ variants }) => variants.map(({ routing_rule_id }) => routing_rule_id)));
  return {
    organization,
    connections: connections.map(routedConnection),
    deletedConnections,
    rules: rules.filter(({ id, enabled }) => enabled || tested.has(id)).map(routedRule),
    tests,
    fraud: fraud?.enabled ? fraud : undefined,
  };
}

/** The part of a snapshot that counts towards its limit: what clients add. The organization's own record is no part. */
export const countedPart = (snapshot: RoutingSnapshot) => ({
  ...snapshot,
  organization: undefined,
  connections: snapshot.connections.map((each) => ({ ...each, status: 'active' as const, credentials_mark: '' })),
});

const routedConnection = (connection: Connection): RoutedConnection => {
  const { id, org_id, provider, mode, status, capabilities, routing_hints, workflow_id, fee_structure } = connection;
  const { credentials_mark, generation } = connection;
  return {
    id,
    org_id,
    provider,
    mode,
    status,
    capabilities,
    routing_hints,
    workflow_id,
    fee_structure,
    ...(credentials_mark !== undefined && { credentials_mark }),
    generation,
  };
};

const routedRule = (rule: RoutingRule): RoutedRule => {
  const { id, countries, methods, connection_id, priority, fallback_to_default, enabled, created_at } = rule;
  return { id, countries, methods, connection_id, priority, fallback_to_default, enabled, created_at };
};
