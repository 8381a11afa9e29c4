import { signInMail } from '#functions/auth/link/sign-in-mail.ts';
import { LINK_LIFE, TOKEN_LENGTH } from '#shared/domain/accounts/sign-in.model.ts';
import { normalEmail } from '#shared/domain/reference/mail-address.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { plainHash, randomText } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';

type Needs = Pick<Deps, 'rates' | 'signInLinks' | 'mail' | 'clock' | 'config' | 'log'>;

/** The address is not looked up at all, so that answer and timing are the same for known and unknown ones. */
export async function sendMagicLink(input: { readonly email: string }, { ip }: Caller, deps: Needs) {
  const [email, at] = [normalEmail(input.email), deps.clock.now()];
  const { full } = await deps.rates.countSignIn(email, ip, at);
  if (full) throw new AppError('rate_limited', `Too many sign-in links. Try again in ${full.retryAfter} s.`, full);

  const token = randomText(TOKEN_LENGTH);
  await deps.signInLinks.create(
    { hash: plainHash(token), email, expires_at: plus(at, LINK_LIFE).toISOString(), wrong_codes: 0 },
    at,
  );
  await deps.mail
    .send(signInMail(email, `${deps.config.pagesUrl}/sign-in?token=${token}`))
    .catch((error) => ignoreRefusal(error, deps));
  return {
    sent: true as const,
    message: 'If this address takes mail, a sign-in link is on its way. It works once, for 15 minutes.',
  };
}

/** A mail that can't be delivered changes nothing in the answer, which would tell strangers which addresses exist. */
function ignoreRefusal(error: unknown, { log }: Needs): void {
  if (!(error instanceof MailError) || error.kind !== 'rejected') throw error;
  log.info('sign_in_mail_rejected', { error });
}
