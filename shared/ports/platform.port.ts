import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAdmin, PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformRole } from '#shared/domain/reference/access.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';

/**
 * `conflict`: the data behind the decision has changed. `repeated`: the same request has made this change before.
 * `demoted`: the actor has lost the role.
 */
export type PlatformChangeResult = 'done' | 'conflict' | 'repeated' | 'demoted';

/** Who makes the change. They must still have this role when it is written. */
export type PlatformActor = { readonly user_id: string; readonly role: PlatformRole };

/** Without `before` the role is new, without `after` it is removed. */
export type AdminChange = {
  readonly before: PlatformAdmin | undefined;
  readonly after: PlatformAdmin | undefined;
  /** Must still be an owner when the change is written. */
  readonly remainingOwner: PlatformAdmin | undefined;
  /** A new user for an address without one. */
  readonly newUser?: User;
};

/** A decision of an administrator about an organization. */
export type OrganizationChange = Partial<
  Pick<Organization, 'kyc' | 'plan' | 'legal_name' | 'requested_legal_name' | 'rate' | 'capacity'>
>;

export type AuditQuery = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };
export type OrganizationsQuery = AuditQuery & { readonly kyc?: Organization['kyc'] | undefined };

export interface PlatformPort {
  /** A user's role on the platform, apart from any organization. */
  roleOf(userId: string): Promise<PlatformRole | undefined>;
  admins(): Promise<readonly PlatformAdmin[]>;
  changeAdmin(change: AdminChange, entry: PlatformAuditEntry, actor: PlatformActor): Promise<PlatformChangeResult>;
  changeOrganization(
    before: Organization,
    change: OrganizationChange,
    entry: PlatformAuditEntry,
    actor: PlatformActor,
  ): Promise<PlatformChangeResult>;
  /**
   * A change by who operates the stage, and has its table: no role on the platform is asked for. Without an organization
   * only the entry is written. False if the organization was changed meanwhile.
   */
  operate(
    entry: PlatformAuditEntry,
    change?: { readonly before: Organization; readonly quarantined_at: string | null },
  ): Promise<boolean>;
  /** Newest first, with a short lag. */
  organizations(where: OrganizationsQuery): Promise<ListPage<Organization>>;
  /** Newest first. */
  auditEntries(where: AuditQuery): Promise<ListPage<PlatformAuditEntry>>;
}
