import { type Entered, enter } from '#functions/auth/enter.ts';
import { signedIn } from '#functions/auth/signed-in.ts';
import { codeMissing, wrongCode } from '#functions/auth/totp/code-refusals.ts';
import { useCode } from '#functions/auth/totp/second-factor.ts';
import { isToken, type SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { plainHash } from '#shared/kernel/ids.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'signInLinks' | 'users' | 'owners' | 'organizations' | 'rates' | 'vault' | 'config' | 'clock'>;
type Input = { readonly token: string; readonly code?: string | undefined };

/** Uses up a sign-in link. Of two concurrent uses one signs in. */
export async function verifyLink(input: Input, _caller: Caller, deps: Needs) {
  const entered = await inRounds(
    () => enterBy(input, deps),
    'Others signed in with this address at the same moment. Try again.',
  );
  return signedIn(entered, deps);
}

async function enterBy({ token, code }: Input, deps: Needs): Promise<Entered | undefined> {
  const at = deps.clock.now();
  const link = isToken(token) ? await deps.signInLinks.get(plainHash(token), at) : undefined;
  if (!link)
    throw new AppError('invalid_link', 'This sign-in link was used, or has had its time. Ask for another one.');
  const known = await deps.users.byEmail(link.email);
  const user = known && hasTotp(known) ? await withCode(known, code, link, at, deps) : known;
  return enter({ email: link.email, user, link }, at, deps);
}

/** A missing code leaves the link usable; too many wrong ones burn it. */
async function withCode(user: User, code: string | undefined, link: SignInLink, at: Date, deps: Needs): Promise<User> {
  if (code === undefined) throw codeMissing();
  const used = await useCode(user, code, at, deps);
  if (used) return used;
  await deps.signInLinks.countWrongCode(link);
  throw wrongCode();
}
