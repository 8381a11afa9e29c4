import { INVITATION_LIFETIME, newSignInToken } from '#shared/domain/accounts/sign-in.model.ts';
import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Mail, MailError } from '#shared/ports/mail.port.ts';

type InviteDeps = Pick<Deps, 'members' | 'organizations' | 'signInLinks' | 'mail' | 'clock' | 'config' | 'log'>;

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
  const [organization, at] = [await deps.organizations.byId(caller.orgId), deps.clock.now()];
  const link = await createInvitationLink(member, at, deps);
  const by = signedInUserOf(caller).email;
  try {
    await deps.mail.send(invitationMail({ to: member.email, by, name: organization?.name ?? '', link }));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    deps.log.warn('invitation_not_mailed', { error });
    return member;
  }
  await deps.members.recordInvitation(member, at);
  return { ...member, invited_at: at.toISOString() };
}

/** A sign-in link that also accepts this invitation. It proves the address, as every mailed link does. */
async function createInvitationLink(
  { email, org_id }: Membership,
  at: Date,
  { signInLinks, config }: Pick<Deps, 'signInLinks' | 'config'>,
): Promise<string> {
  const token = newSignInToken(config.hashSecret);
  const expires_at = plus(at, INVITATION_LIFETIME).toISOString();
  await signInLinks.create({ hash: sha256Hex(token), email, org_id, expires_at, wrong_codes: 0 });
  return `${config.pagesUrl}/sign-in?token=${token}`;
}

type Invitation = { readonly to: string; readonly by: string; readonly name: string; readonly link: string };

function invitationMail({ to, by, name, link }: Invitation): Mail {
  const organization = preventAutoLink(sanitizeName(name));
  return {
    to,
    subject: `You are invited to ${organization}`,
    text: `${by} has invited you to join the organization "${organization}".

Open this link to sign in with this email address and accept the invitation:

${link}

The link works once and expires in ${INVITATION_LIFETIME / DAY} days. If you did not expect this invitation, ignore this
email: you join only through the link.
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
