import {
  newSignInToken,
  type SecurityChange,
  type SecurityChangeKind,
  SIGN_IN_LINK_LIFETIME,
  UNDO_LINK_LIFETIME,
} from '#shared/domain/accounts/sign-in.model.ts';
import { HOUR, MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Mail, MailError, type MailPort } from '#shared/ports/mail.port.ts';

const SUBJECTS: Readonly<Record<SecurityChangeKind, string>> = {
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  totp_on: 'Two-factor authentication was turned on',
  totp_off: 'Two-factor authentication was turned off',
};

/** A stage without a sender says so at once. Nothing is counted, and nobody is paged for it. */
export function assertSendsMail({ isMissing }: MailPort): void {
  if (!isMissing) return;
  throw new AppError(
    'mail_not_configured',
    'This stage sends no mail, so nobody can get a sign-in link. Sign in with a passkey, or ask whoever runs the ' +
      'service to deploy it with a mail sender.',
  );
}

/** The mail about a change, to be sent once the change is made. */
type SecurityNotice = { readonly mail: Mail; readonly kind: SecurityChangeKind };

/**
 * Prepares the notice about a change of how a user signs in, with a link that undoes it, so that a stolen session cannot
 * change that unnoticed or for good. The link is stored before the change: no change is made that cannot be undone.
 */
export async function prepareSecurityNotice(
  change: SecurityChange,
  caller: Caller,
  { undoLinks, clock, config: { pagesUrl, hashSecret } }: Pick<Deps, 'undoLinks' | 'clock' | 'config'>,
): Promise<SecurityNotice> {
  const { userId, email: to } = signedInUserOf(caller);
  const [token, at] = [newSignInToken(hashSecret), clock.now()];
  const expires_at = plus(at, UNDO_LINK_LIFETIME).toISOString();
  await undoLinks.create({ hash: sha256Hex(token), user_id: userId, change, expires_at }, at);
  const subject = SUBJECTS[change.kind];
  const text = noticeText(subject, `${pagesUrl}/account-link?action=undo&token=${token}`, `${pagesUrl}/sign-in`);
  return { mail: { to, subject, text }, kind: change.kind };
}

/** If the email cannot be sent, the change stands. */
export const sendSecurityNotice = ({ mail, kind }: SecurityNotice, deps: Pick<Deps, 'mail' | 'log'>): Promise<void> =>
  sendOrLog(mail, kind, deps);

/** Says that a change was undone: whoever used the link in the mailbox may not be its owner. */
export async function sendUndoneNotice(kind: SecurityChangeKind, to: string, deps: UndoneDeps): Promise<void> {
  const text = undoneText(SUBJECTS[kind], `${deps.config.pagesUrl}/sign-in`);
  await sendOrLog({ to, subject: `Undone: ${SUBJECTS[kind].toLowerCase()}`, text }, kind, deps);
}

type UndoneDeps = Pick<Deps, 'mail' | 'config' | 'log'>;

async function sendOrLog(message: Mail, change: string, { mail, log }: Pick<Deps, 'mail' | 'log'>): Promise<void> {
  try {
    await mail.send(message);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    log.warn('notice_not_mailed', { change, error });
  }
}

const noticeText = (change: string, undoUrl: string, signInUrl: string): string =>
  `${change} for the account with this email address.

If you made this change, you do not need to do anything. If you did not, someone else is signed in as you. Undo the
change here, which also signs everyone out, within ${UNDO_LINK_LIFETIME / HOUR} hours:

${undoUrl}

Then sign in and remove the passkeys and API keys that you do not recognize:

${signInUrl}
`;

const undoneText = (change: string, signInUrl: string): string =>
  `A change for the account with this email address was undone with the link that we mailed:

${change}.

Everyone was signed out. Sign in here:

${signInUrl}
`;

export const LINK_MINUTES = SIGN_IN_LINK_LIFETIME / MINUTE;
