import { SIGN_IN_LINK_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Mail, MailError } from '#shared/ports/mail.port.ts';

const SUBJECTS = {
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  totp_on: 'Two-factor authentication was turned on',
  totp_off: 'Two-factor authentication was turned off',
} as const;

/**
 * Notifies users of changes to how they sign in, so that a stolen session cannot change that unnoticed. If the email
 * cannot be sent, the change stands.
 */
export async function sendSecurityNotice(
  change: keyof typeof SUBJECTS,
  caller: Caller,
  { mail, config, log }: Pick<Deps, 'mail' | 'config' | 'log'>,
): Promise<void> {
  const subject = SUBJECTS[change];
  try {
    await mail.send({
      to: signedInUserOf(caller).email,
      subject,
      text: noticeText(subject, `${config.pagesUrl}/sign-in`),
    });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    log.warn('notice_not_mailed', { change, error });
  }
}

const noticeText = (change: string, signInUrl: string): string => `${change} for the account with this email address.

If you made this change, you do not need to do anything. If you did not, someone else is signed in as you: sign in,
sign out everywhere, and remove the passkeys that you do not recognize.

${signInUrl}
`;

export const LINK_MINUTES = SIGN_IN_LINK_LIFETIME / MINUTE;

export const signInMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Your sign-in link',
  text: `Open this link to sign in:

${link}

The link works once and expires in ${LINK_MINUTES} minutes. If you did not request it, ignore this email: nobody can
sign in without the link.
`,
});
