import type { Organization, OrganizationSettings } from '#shared/domain/accounts/organization.model.ts';
import type { OrganizationNames } from '#shared/domain/accounts/organization.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Usage } from '#shared/domain/accounts/plan.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import type { AuditQuery } from '#shared/ports/platform.port.ts';

/** An organization's routing data, from one query. */
export type RoutingData = {
  readonly organization: Organization | undefined;
  readonly connections: readonly Connection[];
  /** The ids of deleted connections: their payments remain. */
  readonly deletedConnections: readonly string[];
  readonly rules: readonly RoutingRule[];
  readonly tests: readonly RunningTest[];
  readonly fraud: FraudPolicy | undefined;
  /** By connection id. A connection without calls is missing. */
  readonly calls: ReadonlyMap<string, CallTotals>;
  /** By month. It lags by a few seconds. */
  readonly usage: Usage;
};

export interface OrganizationsPort {
  /** Returns this organization, or the one that an earlier try of the same request stored under its id. */
  create(organization: Organization): Promise<Organization>;
  routingData(orgId: string): Promise<RoutingData>;
  /** Only the organization, with a consistent read. */
  byId(orgId: string): Promise<Organization | undefined>;
  /** In the order of `orgIds`. */
  byIds(orgIds: readonly string[]): Promise<readonly (Organization | undefined)[]>;
  /** Saves its names and its KYC state, which depends on them. False if it changed since `before` was read. */
  change(
    before: Organization,
    changed: OrganizationNames & Pick<Organization, 'renamed_by'>,
    audit?: OrganizationAuditEntry,
  ): Promise<boolean>;
  /** False if its settings changed since `before` was read. */
  changeSettings(before: Organization, changed: OrganizationSettings): Promise<boolean>;
  /** Newest first. */
  auditEntries(orgId: string, where: AuditQuery): Promise<ListPage<OrganizationAuditEntry>>;
}
