import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { Renamed } from '#shared/domain/accounts/organization.rules.ts';
import type { Usage } from '#shared/domain/accounts/plan.rules.ts';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';

/** An organization's routing data, from one query. */
export type RoutingSetup = {
  readonly organization: Organization | undefined;
  readonly connections: readonly Connection[];
  /** Ids of deleted connections, which have payments. */
  readonly deletedConnections: readonly string[];
  readonly rules: readonly RoutingRule[];
  /** Running tests. */
  readonly tests: readonly RunningTest[];
  readonly fraud: FraudPolicy | undefined;
  /** Each connection's call totals; missing for one without calls. */
  readonly calls: ReadonlyMap<string, CallTotals>;
  /** Its usage by month; with a short lag. */
  readonly usage: Usage;
};

export interface OrganizationsPort {
  /** Returns this organization, or the one that another try stored under its id. */
  create(organization: Organization): Promise<Organization>;
  routingSetup(orgId: string): Promise<RoutingSetup>;
  /** The organization alone, read consistently. */
  byId(orgId: string): Promise<Organization | undefined>;
  /** In the order of `orgIds`. */
  byIds(orgIds: readonly string[]): Promise<readonly (Organization | undefined)[]>;
  /** Saves its names, and what depends on them. False if it changed since `before` was read. */
  change(before: Organization, changed: Renamed): Promise<boolean>;
}
