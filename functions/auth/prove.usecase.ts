import { type FinishInput, verifyPasskey } from '#functions/auth/passkey-sign-in.usecase.ts';
import type { ProveInput } from '#functions/auth/prove.schema.ts';
import { consumeCode, invalidCode, userChanged } from '#functions/auth/second-factor.ts';
import { currentUser } from '#functions/auth/totp.usecase.ts';
import { consumeChallenge, invalidPasskey } from '#functions/auth/verify-passkey.ts';
import { freshProofRequired, proofEnd, proofMethods } from '#shared/domain/accounts/proof.rules.ts';
import { isSignInToken, type ProofMethod } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SessionProof } from '#shared/ports/users.port.ts';

type ProveDeps = Pick<Deps, 'users' | 'passkeys' | 'sessions' | 'signInLinks' | 'rates' | 'vault' | 'config' | 'clock'>;

/** What proved the user, and what it uses up. */
type Evidence = Pick<SessionProof, 'user' | 'link' | 'passkey'> & { readonly method: ProofMethod };

/** Proves again who the session's user is. What proves it is used up in the same write. */
export async function proveIdentity(input: ProveInput, caller: Caller, deps: ProveDeps) {
  const { sessionHash: hash, userId: user_id } = signedInUserOf(caller);
  const [user, at] = [await currentUser(caller, deps), deps.clock.now()];
  const { method, ...used } = await evidenceOf(input, user, at, deps);
  const proof = { proved_at: at.toISOString(), proved_by: method };
  if (!(await deps.sessions.recordProof({ user_id, hash, proof, ...used }, at))) throw userChanged();
  return { method, valid_until: proofEnd(proof) };
}

/** The shape of the body lets exactly one of the three pass. */
async function evidenceOf(
  { code, passkey, token }: ProveInput,
  user: User,
  at: Date,
  deps: ProveDeps,
): Promise<Evidence> {
  if (code !== undefined) return proveByCode(code, user, at, deps);
  if (passkey !== undefined) return proveByPasskey(passkey, user, deps);
  return proveByLink(token ?? '', user, at, deps);
}

async function proveByCode(code: string, user: User, at: Date, deps: ProveDeps): Promise<Evidence> {
  if (!hasTotp(user)) throw new AppError('totp_not_enabled', 'Two-factor authentication is off.');
  const used = await consumeCode(user, code, at, deps);
  if (!used) throw invalidCode();
  return { method: 'totp', user: { ...used, version: user.version + 1 } };
}

async function proveByPasskey(input: FinishInput, user: User, deps: ProveDeps): Promise<Evidence> {
  const ceremony = await consumeChallenge(input.response.clientDataJSON, null, deps);
  const found = await verifyPasskey(input, ceremony, deps);
  if (found.user.id !== user.id) throw invalidPasskey();
  return { method: 'passkey', passkey: found.passkey };
}

/** Only for users with nothing stronger: who reads a mailbox has no second factor. An invitation may be days old. */
async function proveByLink(token: string, user: User, at: Date, deps: ProveDeps): Promise<Evidence> {
  const methods = proofMethods(user, await deps.passkeys.listByUser(user.id));
  if (!methods.includes('mail')) throw freshProofRequired(methods);
  const link = isSignInToken(token) ? await deps.signInLinks.get(sha256Hex(token), at) : undefined;
  if (!link || link.org_id !== undefined || link.email !== user.email)
    throw new AppError(
      'invalid_link',
      'This sign-in link has expired, was already used, or was sent to another address. Request a new one.',
    );
  return { method: 'mail', link };
}
