import { freshProofRequired, isFresh, proofMethods } from '#shared/domain/accounts/proof.rules.ts';
import type { SignedInUser } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type ProofDeps = Pick<Deps, 'users' | 'passkeys'>;

/**
 * A session alone may be stolen or old. Throws unless its user has just proved who they are, with the strongest means
 * that they have now: a mailed link no longer counts once there is a passkey or a second factor.
 */
export async function assertFreshProof({ userId, proof }: SignedInUser, at: Date, deps: ProofDeps): Promise<void> {
  const fresh = isFresh(proof, at);
  if (fresh && proof.proved_by !== 'mail') return;
  const [user, passkeys] = await Promise.all([deps.users.get(userId), deps.passkeys.listByUser(userId)]);
  const methods = user ? proofMethods(user, passkeys) : (['mail'] as const);
  if (fresh && methods.includes('mail')) return;
  throw freshProofRequired(methods);
}
