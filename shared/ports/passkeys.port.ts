import type { Passkey, PasskeyChallenge } from '#shared/domain/passkey.model.ts';
import type { User } from '#shared/domain/user.model.ts';

export interface PasskeysPort {
  openChallenge(challenge: PasskeyChallenge, at: Date): Promise<void>;
  /** Uses it up. False for one that was never given out, or for somebody or something else, was used, or has had its time. */
  takeChallenge(challenge: PasskeyChallenge, at: Date): Promise<boolean>;
  find(id: string): Promise<Passkey | undefined>;
  /** The oldest first. */
  listOf(userId: string): Promise<readonly Passkey[]>;
  /** `taken`: somebody has it already. `raced`: this user has changed since it was read, so that of two that are added at once one looks again. */
  add(passkey: Passkey, user: User): Promise<'done' | 'taken' | 'raced'>;
  /** False where this user has no such passkey. */
  remove(userId: string, id: string): Promise<boolean>;
}
