import { auditEntry } from '#shared/domain/accounts/platform.rules.ts';
import { proofMethods } from '#shared/domain/accounts/proof.rules.ts';
import type { Recovery } from '#shared/domain/accounts/recovery.model.ts';
import {
  assertUsable,
  describeRecovery,
  ended,
  parseRecoveryToken,
  recoveryToken,
  requestedRecovery,
} from '#shared/domain/accounts/recovery.rules.ts';
import { isSignInToken, newSignInToken } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PlatformChangeResult } from '#shared/ports/platform.port.ts';
import type { RecoveryChange } from '#shared/ports/recoveries.port.ts';
import { type RecoveryMailDeps, sendRecoveryMail } from '#shared/services/accounts/recovery-mails.service.ts';
import { signInAudit } from '#shared/services/accounts/sign-in-audit.service.ts';

type TokenInput = { readonly token: string };
type RecoveryDeps = RecoveryMailDeps & Pick<Deps, 'recoveries' | 'users' | 'clock'>;

const CHANGED_MEANWHILE = 'This recovery is being changed by another request. Try again.';

/**
 * Requests a recovery with a mailed sign-in link, which proves the mailbox. Repeated while one is open, it mails a new
 * token and keeps the approvals: so a lost mail costs no new waiting time.
 */
export async function requestRecovery(
  { token }: TokenInput,
  caller: Caller,
  deps: RecoveryDeps & Pick<Deps, 'signInLinks' | 'passkeys'>,
) {
  const [at, secret] = [deps.clock.now(), newSignInToken(deps.config.hashSecret)];
  const link = isSignInToken(token) ? await deps.signInLinks.get(sha256Hex(token), at) : undefined;
  if (!link) throw invalidLink();
  const user = await deps.users.byEmail(link.email);
  if (!user || proofMethods(user, await deps.passkeys.listByUser(user.id)).includes('mail'))
    throw new AppError('recovery_not_needed', 'This account needs no recovery: a sign-in link is enough.');
  const before = await deps.recoveries.get(user.id);
  const recovery = requestedRecovery(user, before, sha256Hex(secret), at);
  await save({ recovery, link }, 'recovery_requested', before, caller, deps);
  await sendRecoveryMail({ ...recovery, status: 'requested' }, deps, recoveryToken(user.id, secret));
  return view(recovery);
}

/** Stops a recovery. Needs nothing but the mail: the owner may have nothing else. */
export async function cancelRecovery({ token }: TokenInput, caller: Caller, deps: RecoveryDeps) {
  const at = deps.clock.now();
  const before = await findByToken(token, deps);
  const recovery = ended(before, 'canceled', at);
  await save({ recovery }, 'recovery_canceled', before, caller, deps);
  await sendRecoveryMail(recovery, deps);
  return view(recovery);
}

type FinishDeps = RecoveryDeps & Pick<Deps, 'passkeys' | 'sessions'>;

/** Turns the second factor off, removes all passkeys and ends all sessions, after the waiting time. */
export async function finishRecovery({ token }: TokenInput, caller: Caller, deps: FinishDeps) {
  const before = await findByToken(token, deps);
  assertUsable(before, deps.clock.now());
  const recovery = await retryOnConflict(() => finish(before, caller, deps), CHANGED_MEANWHILE);
  await sendRecoveryMail(recovery, deps);
  return view(recovery);
}

/**
 * The sessions end first: if the process crashes in between, the link still works. A sign-in after that changes the
 * user, and then all of this begins again, so that no session outlives the recovery. Undefined after a lost race.
 */
async function finish(before: Recovery, caller: Caller, deps: FinishDeps): Promise<Recovery | undefined> {
  const at = deps.clock.now();
  const [found, passkeys, current] = await Promise.all([
    deps.users.get(before.user_id),
    deps.passkeys.listByUser(before.user_id),
    deps.recoveries.get(before.user_id),
  ]);
  const user = orNotFound(found, 'This user does not exist.');
  if (current?.version !== before.version) throw new AppError('write_conflict', CHANGED_MEANWHILE);
  await deps.sessions.endAll(user.id);
  const recovery = ended(before, 'finished', at);
  const change: Change = {
    recovery,
    finish: { user: { ...user, totp: null, version: user.version + 1 }, passkeyIds: passkeys.map(({ id }) => id) },
    audits: await recoveryAudit(user, passkeys.length > 0, caller.operation, deps),
  };
  return (await write(change, 'recovery_finished', before, caller, deps)) === 'done' ? recovery : undefined;
}

/** The mail with the link is all that proved the user, so there is no credential to name. */
async function recoveryAudit(
  user: User,
  hasPasskeys: boolean,
  operation: Caller['operation'],
  deps: Pick<Deps, 'users'>,
) {
  const actor = { credentialId: user.id, actorId: null };
  const actions = [
    ...(hasTotp(user) ? (['second_factor_disabled'] as const) : []),
    ...(hasPasskeys ? (['passkey_removed'] as const) : []),
  ];
  return (await Promise.all(actions.map((action) => signInAudit(action, user.id, actor, operation, deps)))).flat();
}

type Change = Omit<RecoveryChange, 'entry'>;
type Action = Parameters<typeof describeRecovery>[0];

async function save(
  change: Change,
  action: Action,
  before: Recovery | undefined,
  caller: Caller,
  deps: RecoveryDeps,
): Promise<void> {
  if ((await write(change, action, before, caller, deps)) !== 'done')
    throw new AppError('write_conflict', CHANGED_MEANWHILE);
}

/** The user is the actor of the audit entry: the mailbox is all that proved them. */
function write(
  change: Change,
  action: Action,
  before: Recovery | undefined,
  { operation }: Caller,
  { recoveries, clock }: RecoveryDeps,
): Promise<PlatformChangeResult> {
  const { user_id: userId, email } = change.recovery;
  const entry = auditEntry(describeRecovery(action, before, change.recovery), { userId, email }, operation);
  return recoveries.save({ ...change, entry }, clock.now());
}

async function findByToken(token: string, { recoveries }: Pick<Deps, 'recoveries'>): Promise<Recovery> {
  const parsed = parseRecoveryToken(token);
  const recovery = parsed && (await recoveries.get(parsed.userId));
  if (!recovery || recovery.token_hash !== sha256Hex(parsed.secret)) throw invalidLink();
  return recovery;
}

const invalidLink = (): AppError => new AppError('invalid_link', 'This link has expired or was already used.');

const view = ({ status, requested_at, usable_from, expires_at }: Recovery) => ({
  status,
  requested_at,
  usable_from,
  expires_at,
});
