import { assertNotDemoted, platformActorOf } from '#functions/platform/platform-actor.ts';
import type { ListRecoveriesInput, ReviewRecoveryInput } from '#functions/platform/recoveries.schema.ts';
import { auditEntry } from '#shared/domain/accounts/platform.rules.ts';
import type { Recovery } from '#shared/domain/accounts/recovery.model.ts';
import {
  approvedRecovery,
  describeRecovery,
  isOpen,
  rejectedRecovery,
} from '#shared/domain/accounts/recovery.rules.ts';
import { creationPosition, pageOf } from '#shared/domain/reference/page.rules.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type RecoveryMailDeps, sendRecoveryMail } from '#shared/services/accounts/recovery-mails.service.ts';

type ReviewDeps = RecoveryMailDeps & Pick<Deps, 'recoveries' | 'platform' | 'clock'>;

const CHANGED_MEANWHILE = 'This recovery was changed by another request. Try again.';

export async function listRecoveries(
  query: ListRecoveriesInput,
  _caller: Caller,
  { recoveries, clock }: Pick<Deps, 'recoveries' | 'clock'>,
) {
  const at = clock.now();
  const page = pageOf(await recoveries.list(), query, ({ requested_at: created_at, user_id: id }) =>
    creationPosition({ created_at, id }),
  );
  return { ...page, items: page.items.map((recovery) => view(recovery, at)) };
}

/** The waiting time begins with the last approval that it needs. The user gets a mail then. */
export function approveRecovery(input: ReviewRecoveryInput, caller: Caller, deps: ReviewDeps) {
  const { userId: user_id, email } = signedInUserOf(caller);
  return retryOnConflict(async () => {
    const [before, admins] = await Promise.all([reviewed(input, deps), deps.platform.admins()]);
    const after = approvedRecovery(before, { user_id, email }, admins, deps.clock.now());
    return after ? save('recovery_approved', before, after, null, caller, deps) : view(before, deps.clock.now());
  }, CHANGED_MEANWHILE);
}

type RejectInput = ReviewRecoveryInput & { readonly reason: string };

/** Also withdraws an approval, as long as the recovery is not finished. */
export function rejectRecovery(input: RejectInput, caller: Caller, deps: ReviewDeps) {
  return retryOnConflict(async () => {
    const before = await reviewed(input, deps);
    const after = rejectedRecovery(before, signedInUserOf(caller).userId, deps.clock.now());
    return save('recovery_rejected', before, after, input.reason, caller, deps);
  }, CHANGED_MEANWHILE);
}

/** The request that was looked at: what was checked for one proves nothing about a later one. */
async function reviewed({ id, requested_at }: ReviewRecoveryInput, { recoveries }: ReviewDeps): Promise<Recovery> {
  const recovery = orNotFound(await recoveries.get(id), 'This user has no recovery.');
  if (recovery.requested_at !== requested_at)
    throw new AppError('recovery_not_open', 'The user has made a newer request. Look at that one.');
  return recovery;
}

/** Undefined after a lost race. A repeat after a crash finds its entry, and mails again. */
async function save(
  action: 'recovery_approved' | 'recovery_rejected',
  before: Recovery,
  after: Recovery,
  reason: string | null,
  caller: Caller,
  deps: ReviewDeps,
) {
  const at = deps.clock.now();
  const entry = auditEntry(describeRecovery(action, before, after, reason), signedInUserOf(caller), caller.operation);
  const outcome = await deps.recoveries.save({ recovery: after, entry, actor: platformActorOf(caller) }, at);
  if (assertNotDemoted(outcome) === 'conflict') return undefined;
  if (after.status !== 'requested') await sendRecoveryMail(after, deps);
  return view(after, at);
}

const view = (recovery: Recovery, at: Date) => {
  const { user_id: id, email, status, requested_at, approvals, usable_from, expires_at } = recovery;
  return { id, email, status, open: isOpen(recovery, at), requested_at, approvals, usable_from, expires_at };
};
