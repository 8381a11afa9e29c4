import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAct, PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformRole } from '#shared/domain/reference/roles.catalog.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';

/**
 * `raced`: the data behind the decision has changed. `repeated`: this very act was done before. `demoted`: the actor
 * lost the role.
 */
export type ActDone = 'done' | 'raced' | 'repeated' | 'demoted';

/** The actor, who must still have this role when it is written. */
export type PlatformActor = { readonly user_id: string; readonly role: PlatformRole };

/** Without `before` a role begins, without `after` one ends. */
export type AdminChange = {
  readonly before: PlatformAdmin | undefined;
  readonly after: PlatformAdmin | undefined;
  /** Must still be an owner. */
  readonly staying: PlatformAdmin | undefined;
  /** A new user, for an address without one. */
  readonly newUser?: User;
};

/** An administrators' decision about an organization. */
export type VerdictChange = Partial<Pick<Organization, 'kyc' | 'plan'>>;

export type ActsWhere = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };
export type OrganizationsWhere = ActsWhere & { readonly kyc?: Organization['kyc'] | undefined };

export interface PlatformPort {
  /** A user's role on the platform, apart from any organization. */
  roleOf(userId: string): Promise<PlatformRole | undefined>;
  admins(): Promise<readonly PlatformAdmin[]>;
  changeAdmin(change: AdminChange, act: PlatformAct, actor: PlatformActor): Promise<ActDone>;
  changeOrganization(
    before: Organization,
    change: VerdictChange,
    act: PlatformAct,
    actor: PlatformActor,
  ): Promise<ActDone>;
  /** Newest first, with a short lag. */
  organizations(where: OrganizationsWhere): Promise<ListPage<Organization>>;
  /** Newest first. */
  acts(where: ActsWhere): Promise<ListPage<PlatformAct>>;
}
