import type { Organization } from '#shared/domain/organization.model.ts';
import type { PlatformAct, PlatformAdmin } from '#shared/domain/platform.model.ts';
import type { PlatformRole } from '#shared/domain/roles.catalog.ts';
import type { User } from '#shared/domain/user.model.ts';
import type { ListPage } from '#shared/ports/stores.port.ts';

/** `raced`: what the act was decided on has changed meanwhile. `repeated`: this very act was done before. `demoted`: whoever does it has not the role any more. */
export type ActDone = 'done' | 'raced' | 'repeated' | 'demoted';

/** Whoever does it, who must still be that when it is written. */
export type PlatformActor = { readonly user_id: string; readonly role: PlatformRole };

/** Where there is no `before` somebody begins, where there is no `after` somebody ends. */
export type AdminChange = {
  readonly before: PlatformAdmin | undefined;
  readonly after: PlatformAdmin | undefined;
  /** Must be an owner still. */
  readonly staying: PlatformAdmin | undefined;
  /** Of an address that has none yet. */
  readonly newUser?: User;
};

/** What administrators decide about an organization. */
export type VerdictChange = Partial<Pick<Organization, 'kyc' | 'plan'>>;

export type ActsWhere = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };
export type OrganizationsWhere = ActsWhere & { readonly kyc?: Organization['kyc'] | undefined };

export interface PlatformPort {
  /** What this user may do on the platform, beyond what belongs to any organization. */
  roleOf(userId: string): Promise<PlatformRole | undefined>;
  admins(): Promise<readonly PlatformAdmin[]>;
  changeAdmin(change: AdminChange, act: PlatformAct, actor: PlatformActor): Promise<ActDone>;
  changeOrganization(before: Organization, change: VerdictChange, act: PlatformAct, actor: PlatformActor): Promise<ActDone>;
  /** Newest first, and a moment late. */
  organizations(where: OrganizationsWhere): Promise<ListPage<Organization>>;
  /** Newest first. */
  acts(where: ActsWhere): Promise<ListPage<PlatformAct>>;
}
