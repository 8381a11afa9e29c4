import { assertSendsMail, LINK_MINUTES } from '#functions/auth/auth-mails.ts';
import { createSession, type NewSession } from '#functions/auth/create-session.ts';
import { consumeCode, invalidCode, missingCode } from '#functions/auth/second-factor.ts';
import { sessionResponse } from '#functions/auth/session-response.ts';
import { signInMail } from '#functions/auth/sign-in-mail.catalog.ts';
import { knownBrowser } from '#shared/domain/accounts/known-browser.rules.ts';
import {
  isSignInToken,
  newSignInToken,
  SIGN_IN_LINK_LIFETIME,
  type SignInLink,
} from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';

type SendDeps = Pick<Deps, 'rates' | 'signInLinks' | 'mail' | 'clock' | 'config' | 'log'>;

/** The address is never looked up, so that response and timing are the same for known and unknown addresses. */
export async function sendMagicLink(
  input: { readonly email: string },
  { ip, browser, acceptLanguage }: Caller,
  deps: SendDeps,
) {
  assertSendsMail(deps.mail);
  const [email, at] = [normalizeEmail(input.email), deps.clock.now()];
  const known = knownBrowser(browser, email, deps.config);
  const { exceeded } = await deps.rates.countSignIn({ email, address: ip, browser: known }, at);
  if (exceeded) {
    const message =
      `Too many sign-in links were requested. Try again in ${exceeded.retryAfter} seconds, use a passkey, ` +
      'or request the link in a browser in which you have signed in before.';
    throw new AppError('rate_limited', message, exceeded);
  }

  const token = newSignInToken(deps.config.hashSecret);
  await deps.signInLinks.create({
    hash: sha256Hex(token),
    email,
    expires_at: plus(at, SIGN_IN_LINK_LIFETIME).toISOString(),
    wrong_codes: 0,
  });
  await deps.mail
    .send(signInMail(languageOf(acceptLanguage), email, `${deps.config.pagesUrl}/sign-in?token=${token}`, { ip, at }))
    .catch((error) => ignoreRejection(error, deps));
  return {
    sent: true as const,
    message:
      'If this address can receive email, a sign-in link is on its way. ' +
      `It works once and expires in ${LINK_MINUTES} minutes.`,
  };
}

/** A refused email does not change the response: that would reveal which addresses exist. */
function ignoreRejection(error: unknown, { log }: Pick<Deps, 'log'>): void {
  if (!(error instanceof MailError) || error.kind !== 'rejected') throw error;
  log.info('sign_in_mail_rejected', { error });
}

type VerifyDeps = Pick<
  Deps,
  'signInLinks' | 'users' | 'owners' | 'organizations' | 'rates' | 'vault' | 'config' | 'clock'
>;
type VerifyInput = { readonly token: string; readonly code?: string | undefined };

/** Signs in with a mailed link, which is used up. Of two concurrent uses one signs in. */
export async function verifyLink(input: VerifyInput, caller: Caller, deps: VerifyDeps) {
  const countTry = tryCounter(deps);
  const session = await retryOnConflict(
    () => signInWithLink(input, countTry, deps),
    'Another sign-in with this address is in progress. Try again.',
  );
  return sessionResponse(session, caller, deps);
}

type CountTry = (link: SignInLink) => Promise<void>;

/** Counts a code before it is tried. The same code is tried again after a lost race: that is not another try. */
function tryCounter({ signInLinks }: Pick<Deps, 'signInLinks'>): CountTry {
  let counted: Promise<boolean> | undefined;
  return async (link) => {
    counted ??= signInLinks.countCodeTry(link);
    if (!(await counted)) throw invalidLink();
  };
}

const invalidLink = (): AppError =>
  new AppError('invalid_link', 'This sign-in link has expired or was already used. Request a new one.');

async function signInWithLink(
  { token, code }: VerifyInput,
  countTry: CountTry,
  deps: VerifyDeps,
): Promise<NewSession | undefined> {
  const at = deps.clock.now();
  const link = isSignInToken(token) ? await deps.signInLinks.get(sha256Hex(token), at) : undefined;
  if (!link) throw invalidLink();
  const known = await deps.users.byEmail(link.email);
  const method = known && hasTotp(known) ? 'totp' : 'mail';
  const user =
    known && method === 'totp' ? await checkSecondFactor(known, code, () => countTry(link), at, deps) : known;
  return createSession({ email: link.email, method, user, link }, at, deps);
}

/** A missing code leaves the link usable. Too many tries invalidate it, also if they all come at once. */
async function checkSecondFactor(
  user: User,
  code: string | undefined,
  countTry: () => Promise<void>,
  at: Date,
  deps: VerifyDeps,
): Promise<User> {
  if (code === undefined) throw missingCode();
  await countTry();
  const used = await consumeCode(user, code, at, deps);
  if (!used) throw invalidCode();
  return used;
}
