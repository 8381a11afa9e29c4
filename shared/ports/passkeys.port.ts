import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Passkey, PasskeyChallenge } from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';

export interface PasskeysPort {
  saveChallenge(challenge: PasskeyChallenge, at: Date): Promise<void>;
  /** Uses the challenge up. False for an unknown, used or expired one, or one for another user or purpose. */
  consumeChallenge(challenge: PasskeyChallenge, at: Date): Promise<boolean>;
  find(id: string): Promise<Passkey | undefined>;
  /** The oldest first. */
  listByUser(userId: string): Promise<readonly Passkey[]>;
  /**
   * `taken`: the passkey exists already. `conflict`: the user has changed since they were read, as after a concurrent
   * registration.
   */
  add(passkey: Passkey, user: User, audits?: readonly OrganizationAuditEntry[]): Promise<'done' | 'taken' | 'conflict'>;
  /** False if this user has no such passkey. */
  remove(userId: string, id: string, audits?: readonly OrganizationAuditEntry[]): Promise<boolean>;
}
