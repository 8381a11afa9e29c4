import type { Organization, OrganizationSettings } from '#shared/domain/accounts/organization.model.ts';
import type { OrganizationNames } from '#shared/domain/accounts/organization.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { RoutingSummary } from '#shared/domain/routing/health.rules.ts';
import type { RoutingSnapshot } from '#shared/domain/routing/routing-snapshot.rules.ts';
import type { AuditQuery } from '#shared/ports/platform.port.ts';

/**
 * What a payment reads of its organization: the snapshot of its setup, and beside it what is counted, which lags by a
 * few seconds.
 */
export type RoutingData = RoutingSnapshot & RoutingSummary;

export interface OrganizationsPort {
  /** Returns this organization, or the one that an earlier try of the same request stored under its id. */
  create(organization: Organization): Promise<Organization>;
  routingData(orgId: string): Promise<RoutingData>;
  /** Only the organization, with a consistent read. */
  byId(orgId: string): Promise<Organization | undefined>;
  /** The same, as it was at some time after `since`. */
  recent(orgId: string, at: Date, since: Date): Promise<Organization | undefined>;
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
