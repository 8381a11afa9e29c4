import { RECOVERY_WAIT, type Recovery, type RecoveryStatus } from '#shared/domain/accounts/recovery.model.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';

export type RecoveryMailDeps = Pick<Deps, 'mail' | 'config' | 'log'>;

const SUBJECTS: Readonly<Record<RecoveryStatus, string>> = {
  requested: 'Recovery of your account was requested',
  approved: 'Recovery of your account was approved',
  rejected: 'Recovery of your account was rejected',
  canceled: 'Recovery of your account was stopped',
  finished: 'Your account was recovered',
};

/** Tells the user of each step: the request may not be theirs. If the mail cannot be sent, the step stands. */
export async function sendRecoveryMail(
  { email: to, status, usable_from }: Recovery,
  { mail, config, log }: RecoveryMailDeps,
  token?: string,
): Promise<void> {
  const text = [
    LEADS[status](usable_from),
    ...(token === undefined ? [] : [linksText(token, config.pagesUrl)]),
    `Sign in here: ${config.pagesUrl}/sign-in`,
  ].join('\n\n');
  try {
    await mail.send({ to, subject: SUBJECTS[status], text: `${text}\n` });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    log.warn('recovery_not_mailed', { status, error });
  }
}

const LEADS: Readonly<Record<RecoveryStatus, (usableFrom: string | null) => string>> = {
  requested: () =>
    `Someone with access to this mailbox asked to recover your account without its second factor and passkeys.
People at Payfork check the request. After they approve it, ${RECOVERY_WAIT / HOUR} hours must pass.`,
  approved: (usableFrom) =>
    `The recovery of your account was approved. From ${usableFrom} on you can finish it with the link that we mailed
when it was requested. That turns two-factor authentication off and removes your passkeys. If you do not want this, stop
it with the other link of that email. If you cannot find it, request the recovery again: approvals stay.`,
  rejected: () => 'The recovery of your account was rejected. Nothing has changed.',
  canceled: () => 'The recovery of your account was stopped. Nothing else has changed.',
  finished: () =>
    `Two-factor authentication was turned off, all passkeys were removed, and everyone was signed out. Sign in with a
mailed link and set up two-factor authentication again.`,
};

const linksText = (token: string, pagesUrl: string): string =>
  `If you did not ask for this, stop it:

${pagesUrl}/account-link?action=cancel-recovery&token=${token}

If you did, keep this email. After the waiting time, finish the recovery here:

${pagesUrl}/account-link?action=finish-recovery&token=${token}`;
