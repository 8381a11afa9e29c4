import { signInMail } from '#functions/auth/link/sign-in-mail.ts';
import { normalEmail } from '#shared/domain/owner.model.ts';
import { hashOfToken, LINK_LIFE, TOKEN_LENGTH } from '#shared/domain/sign-in.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';

type Needs = Pick<Deps, 'keys' | 'signInLinks' | 'mail' | 'clock' | 'config' | 'log'>;

/** Who the address belongs to is not even looked up: what is done, and how long it takes, is the same for all. */
export async function sendMagicLink(input: { readonly email: string }, { ip }: Caller, deps: Needs) {
  const [email, at] = [normalEmail(input.email), deps.clock.now()];
  const { full } = await deps.keys.countSignIn(email, ip, at);
  if (full) throw new AppError('rate_limited', `Too many sign-in links. Try again in ${full.retryAfter} s.`, full);

  const token = randomText(TOKEN_LENGTH);
  await deps.signInLinks.create({ hash: hashOfToken(token), email, expires_at: plus(at, LINK_LIFE).toISOString(), wrong_codes: 0 }, at);
  await deps.mail.send(signInMail(email, `${deps.config.pagesUrl}/sign-in?token=${token}`)).catch((error) => ignoreRefusal(error, deps));
  return { sent: true as const, message: 'If this address takes mail, a sign-in link is on its way. It works once, for 15 minutes.' };
}

/** An address that no mail goes to is told nothing else: it would tell strangers which do. */
function ignoreRefusal(error: unknown, { log }: Needs): void {
  if (!(error instanceof MailError) || error.kind !== 'rejected') throw error;
  log.info('sign_in_mail_rejected', { error });
}
