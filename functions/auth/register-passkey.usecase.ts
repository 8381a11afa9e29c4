import { prepareSecurityNotice, sendSecurityNotice } from '#functions/auth/auth-mails.ts';
import { consumeCode, invalidCode, missingCode, saveTotp } from '#functions/auth/second-factor.ts';
import { currentUser } from '#functions/auth/totp.usecase.ts';
import {
  consumeChallenge,
  invalidPasskey,
  issueChallenge,
  type Registration,
  verifyRegistration,
} from '#functions/auth/verify-passkey.ts';
import { creatorOf } from '#shared/domain/accounts/organization-audit.rules.ts';
import { MAX_PASSKEYS, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import { creationOptions } from '#shared/domain/accounts/passkey.rules.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { signInAudit } from '#shared/services/accounts/sign-in-audit.service.ts';

type BeginDeps = Pick<Deps, 'users' | 'passkeys' | 'rates' | 'vault' | 'config' | 'clock'>;
type BeginInput = { readonly code?: string | undefined };

/** The options list the user's passkeys, so that no device creates a second one. */
export async function beginWebauthnRegistration({ code }: BeginInput, caller: Caller, deps: BeginDeps) {
  const user = await currentUser(caller, deps);
  const passkeys = await deps.passkeys.listByUser(user.id);
  assertPasskeyLimit(passkeys);
  if (hasTotp(user)) await requireSecondFactor(code, user, deps);
  return creationOptions(await issueChallenge(user.id, deps), user, passkeys, deps.config.stage);
}

/**
 * A passkey signs in without a code. If a session were enough to add one, a stolen session could bypass the second
 * factor.
 */
async function requireSecondFactor(code: string | undefined, user: User, deps: BeginDeps): Promise<void> {
  if (code === undefined) throw missingCode();
  const used = await consumeCode(user, code, deps.clock.now(), deps);
  if (!used) throw invalidCode();
  await saveTotp(user, used.totp, deps);
}

type FinishDeps = Pick<Deps, 'users' | 'passkeys' | 'sessions' | 'config' | 'clock' | 'mail' | 'log' | 'undoLinks'>;
type FinishInput = Registration & {
  readonly name?: string | null | undefined;
  readonly response: { readonly transports?: readonly string[] | null | undefined };
};

export async function finishWebauthnRegistration(
  input: FinishInput,
  caller: Caller,
  deps: FinishDeps,
): Promise<Passkey> {
  const { userId: user_id, sessionHash: hash } = signedInUserOf(caller);
  const ceremony = await consumeChallenge(input.response.clientDataJSON, user_id, deps);
  const at = deps.clock.now();
  const passkey: Passkey = {
    ...(await verifyRegistration(input, ceremony)),
    user_id,
    name: input.name ?? null,
    transports: input.response.transports ?? [],
    created_at: at.toISOString(),
    created_by: creatorOf(caller),
    last_used_at: null,
  };
  const notice = await prepareSecurityNotice({ kind: 'passkey_added', passkey_id: passkey.id }, caller, deps);
  await addPasskey(passkey, caller, deps);
  // The device has just verified the user. Other sessions that began with a mailed link count no longer as proof.
  const proof = { proved_at: passkey.created_at, proved_by: 'passkey' } as const;
  await deps.sessions.recordProof({ user_id, hash, proof }, at);
  await sendSecurityNotice(notice, deps);
  return passkey;
}

/** Of two concurrent registrations, the second counts the first. */
const addPasskey = (passkey: Passkey, caller: Caller, deps: Pick<Deps, 'users' | 'passkeys'>): Promise<'done'> =>
  retryOnConflict(async () => {
    const user = await currentUser(caller, deps);
    assertPasskeyLimit(await deps.passkeys.listByUser(user.id));
    const audits = await signInAudit('passkey_added', user.id, caller, caller.operation, deps);
    const added = await deps.passkeys.add(passkey, user, audits);
    if (added === 'taken') throw invalidPasskey();
    return added === 'done' ? added : undefined;
  }, 'This user was changed by another request. Try again.');

function assertPasskeyLimit(passkeys: readonly Passkey[]): void {
  if (passkeys.length >= MAX_PASSKEYS)
    throw new AppError('passkey_limit', `A user can have at most ${MAX_PASSKEYS} passkeys. Delete one first.`);
}
