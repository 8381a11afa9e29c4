import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';

const CHANGES = {
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  totp_on: 'Two-factor authentication was turned on',
  totp_off: 'Two-factor authentication was turned off',
} as const;

type Needs = Pick<Deps, 'mail' | 'config' | 'log'>;

/**
 * Tells users of changes to how they sign in, so that a stolen session can't change that unnoticed. A mail that can't
 * be sent does not undo the change.
 */
export async function tellOfChange(
  change: keyof typeof CHANGES,
  caller: Caller,
  { mail, config, log }: Needs,
): Promise<void> {
  const subject = CHANGES[change];
  try {
    await mail.send({ to: personOf(caller).email, subject, text: textOf(subject, `${config.pagesUrl}/sign-in`) });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    log.warn('notice_not_mailed', { change, error });
  }
}

const textOf = (subject: string, signInUrl: string): string => `${subject} where you sign in with this mail address.

If it was you, there is nothing to do. If it was not you, somebody else is signed in as you: sign in, sign out everywhere,
and remove the passkeys you do not know.

${signInUrl}
`;
