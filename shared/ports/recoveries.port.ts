import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import type { Recovery } from '#shared/domain/accounts/recovery.model.ts';
import type { SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformActor, PlatformChangeResult } from '#shared/ports/platform.port.ts';

/** A new state of a recovery, with its audit entry and what else is written in the same transaction. */
export type RecoveryChange = {
  readonly recovery: Recovery;
  readonly entry: PlatformAuditEntry;
  /** An administrator's decision. Without one it is the user's own. */
  readonly actor?: PlatformActor;
  /** The sign-in link that the request uses up. */
  readonly link?: SignInLink;
  /** The user's new state, without a second factor, and the passkeys that are removed. */
  readonly finish?: { readonly user: User; readonly passkeyIds: readonly string[] };
  /** Of the organizations that the user has joined. */
  readonly audits?: readonly OrganizationAuditEntry[];
};

export interface RecoveriesPort {
  get(userId: string): Promise<Recovery | undefined>;
  /** Of all users, in no order. A user's latest one only. */
  list(): Promise<readonly Recovery[]>;
  save(change: RecoveryChange, at: Date): Promise<PlatformChangeResult>;
}
