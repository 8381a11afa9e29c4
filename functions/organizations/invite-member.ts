import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Mail, MailError } from '#shared/ports/mail.port.ts';

type InviteDeps = Pick<Deps, 'members' | 'organizations' | 'mail' | 'clock' | 'config' | 'log'>;

/**
 * Recipients may be strangers, and the organization chooses its name: without a limit it could send spam through this
 * service.
 */
export async function assertInvitationLimit(
  email: string,
  { orgId }: Caller,
  { rates, clock }: Pick<Deps, 'rates' | 'clock'>,
): Promise<void> {
  const { exceeded } = await rates.countInvitation(orgId, email, clock.now());
  if (!exceeded) return;
  const message = `Too many invitations were sent. Try again in ${exceeded.retryAfter} seconds.`;
  throw new AppError('rate_limited', message, exceeded);
}

/**
 * A failed email does not undo the membership: the response shows that it was not sent. Sending is recorded afterwards,
 * so an email may be sent twice but is never lost.
 */
export async function sendInvitation(member: Membership, caller: Caller, deps: InviteDeps): Promise<Membership> {
  const organization = await deps.organizations.byId(caller.orgId);
  const mail = invitationMail({
    to: member.email,
    by: signedInUserOf(caller).email,
    name: organization?.name ?? '',
    signInUrl: `${deps.config.pagesUrl}/sign-in`,
  });
  try {
    await deps.mail.send(mail);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    deps.log.warn('invitation_not_mailed', { error });
    return member;
  }
  const at = deps.clock.now();
  await deps.members.recordInvitation(member, at);
  return { ...member, invited_at: at.toISOString() };
}

type Invitation = { readonly to: string; readonly by: string; readonly name: string; readonly signInUrl: string };

/** The email has no token: signing in proves the address. */
function invitationMail({ to, by, name, signInUrl }: Invitation): Mail {
  const organization = preventAutoLink(sanitizeName(name));
  return {
    to,
    subject: `You are invited to ${organization}`,
    text: `${by} has invited you to join the organization "${organization}".

Sign in with this email address to accept the invitation:

${signInUrl}

If you did not expect this invitation, ignore this email: nothing happens unless you sign in.
`,
  };
}

const WORD_JOINER = '\u2060';

/** Mail programs turn text that looks like a URL into a link. This prevents that without a visible difference. */
const preventAutoLink = (text: string): string => text.replace(/[.:/@\u3002\uff0e\uff61](?=\S)/gu, `$&${WORD_JOINER}`);

const MAX_NAME_LENGTH = 80;

/** The name is untrusted: its control characters must not start a header or a line, or reverse the text around them. */
function sanitizeName(name: string): string {
  const characters = [...name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  if (characters.length > MAX_NAME_LENGTH) return `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
  return characters.join('') || 'an organization';
}
