import type { PlatformAdmin, PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import {
  MAX_APPROVALS,
  RECOVERY_REQUEST_LIFETIME,
  RECOVERY_USE_TIME,
  RECOVERY_WAIT,
  type Recovery,
  type RecoveryApproval,
} from '#shared/domain/accounts/recovery.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

export const isOpen = ({ status, expires_at }: Recovery, at: Date): boolean =>
  (status === 'requested' || status === 'approved') && expires_at > at.toISOString();

/** A new request; or the open one, with a new token: whoever lost the mail asks again, and keeps the approvals. */
export function requestedRecovery(
  { id: user_id, email }: User,
  before: Recovery | undefined,
  token_hash: string,
  at: Date,
): Recovery {
  const version = (before?.version ?? 0) + 1;
  if (before && isOpen(before, at)) return { ...before, token_hash, version };
  return {
    user_id,
    email,
    status: 'requested',
    requested_at: at.toISOString(),
    approvals: [],
    usable_from: null,
    expires_at: plus(at, RECOVERY_REQUEST_LIFETIME).toISOString(),
    token_hash,
    version,
  };
}

/** Two other people; where the platform has only one other, that one. */
const approvalsNeeded = (admins: readonly PlatformAdmin[], { user_id }: Recovery): number =>
  Math.min(MAX_APPROVALS, admins.filter((admin) => admin.user_id !== user_id).length);

/** The waiting time begins with the last approval. Undefined if this person has approved it already. */
export function approvedRecovery(
  recovery: Recovery,
  approver: Pick<RecoveryApproval, 'user_id' | 'email'>,
  admins: readonly PlatformAdmin[],
  at: Date,
): Recovery | undefined {
  assertReviewable(recovery, approver.user_id, at);
  if (recovery.approvals.some(({ user_id }) => user_id === approver.user_id)) return undefined;
  const approvals = [...recovery.approvals, { ...approver, approved_at: at.toISOString() }];
  const counted = { ...recovery, approvals, version: recovery.version + 1 };
  if (approvals.length < approvalsNeeded(admins, recovery)) return counted;
  const usableFrom = plus(at, RECOVERY_WAIT);
  return {
    ...counted,
    status: 'approved',
    usable_from: usableFrom.toISOString(),
    expires_at: plus(usableFrom, RECOVERY_USE_TIME).toISOString(),
  };
}

/** An approved one too: until it is used it does no harm. */
export function rejectedRecovery(recovery: Recovery, reviewerId: string, at: Date): Recovery {
  if (recovery.status !== 'approved') assertReviewable(recovery, reviewerId, at);
  return ended(recovery, 'rejected', at);
}

function assertReviewable({ user_id, status, expires_at }: Recovery, reviewerId: string, at: Date): void {
  if (user_id === reviewerId)
    throw new AppError('own_recovery', 'You cannot decide about the recovery of your own account.');
  if (status !== 'requested' || expires_at <= at.toISOString()) throw notOpen();
}

export function ended(recovery: Recovery, status: 'rejected' | 'canceled' | 'finished', at: Date): Recovery {
  if (!isOpen(recovery, at)) throw notOpen();
  return { ...recovery, status, version: recovery.version + 1 };
}

export function assertUsable(recovery: Recovery, at: Date): void {
  if (!isOpen(recovery, at)) throw notOpen();
  const { usable_from } = recovery;
  if (usable_from !== null && usable_from <= at.toISOString()) return;
  throw new AppError(
    'recovery_waiting',
    usable_from === null
      ? 'This recovery is not approved yet. We write to you when it is.'
      : `This recovery can be used from ${usable_from} on.`,
  );
}

const notOpen = (): AppError =>
  new AppError('recovery_not_open', 'This recovery is not open: it was decided, stopped or finished, or it expired.');

/** For the platform's audit log. */
export function describeRecovery(
  action: Extract<PlatformAuditEntry['action'], `recovery_${string}`>,
  before: Recovery | undefined,
  after: Recovery,
  reason: string | null = null,
): Pick<PlatformAuditEntry, 'action' | 'target' | 'metadata'> {
  const { user_id: id, email: name } = after;
  const changes = { recovery: { from: before?.status ?? null, to: after.status } };
  return { action, target: { type: 'user', id, name }, metadata: { changes, reason } };
}

/** The token names its user, so that it is found without an index. */
export const recoveryToken = (userId: string, secret: string): string => `${userId}.${secret}`;

export function parseRecoveryToken(token: string): { readonly userId: string; readonly secret: string } | undefined {
  const [, userId, secret] = /^(usr_[0-9a-z]{26})\.([A-Za-z0-9]{43})$/.exec(token) ?? [];
  return userId !== undefined && secret !== undefined ? { userId, secret } : undefined;
}
