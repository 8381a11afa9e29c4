import type { Passkey, PasskeyChallenge } from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';

export interface PasskeysPort {
  openChallenge(challenge: PasskeyChallenge, at: Date): Promise<void>;
  /** Uses it up. False for an unknown, used or expired challenge, or one issued for another user or purpose. */
  takeChallenge(challenge: PasskeyChallenge, at: Date): Promise<boolean>;
  find(id: string): Promise<Passkey | undefined>;
  /** The oldest first. */
  listOf(userId: string): Promise<readonly Passkey[]>;
  /**
   * `taken`: it exists already. `raced`: the user changed since they were read, so of two concurrent registrations one
   * looks again.
   */
  add(passkey: Passkey, user: User): Promise<'done' | 'taken' | 'raced'>;
  /** False if this user has no such passkey. */
  remove(userId: string, id: string): Promise<boolean>;
}
