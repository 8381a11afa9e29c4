import { DAY, HOUR } from '#shared/kernel/clock.ts';

export const RECOVERY_STATUSES = ['requested', 'approved', 'rejected', 'canceled', 'finished'] as const;
export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

export type RecoveryApproval = {
  readonly user_id: string;
  readonly email: string;
  readonly approved_at: string;
};

/** A request of a user who has lost the second factor and the passkeys. A user has one at a time. */
export type Recovery = {
  readonly user_id: string;
  readonly email: string;
  readonly status: RecoveryStatus;
  readonly requested_at: string;
  readonly approvals: readonly RecoveryApproval[];
  /** The end of the waiting time. Null until the last approval. */
  readonly usable_from: string | null;
  readonly expires_at: string;
  /** Of the token in the mails to the user, which cancels and finishes the recovery. */
  readonly token_hash: string;
  readonly version: number;
};

/** From the last approval on: the owner must have the time to read the mail, and to cancel. In ms. */
export const RECOVERY_WAIT = 72 * HOUR;
/** A request that nobody has approved ends then. */
export const RECOVERY_REQUEST_LIFETIME = 14 * DAY;
/** Counted from the end of the waiting time. */
export const RECOVERY_USE_TIME = 7 * DAY;

/** More than one person must be deceived. */
export const MAX_APPROVALS = 2;
