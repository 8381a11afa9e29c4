import { invitationMail } from '#functions/organizations/invitation-mail.ts';
import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';

type Needs = Pick<Deps, 'members' | 'organizations' | 'mail' | 'clock' | 'config' | 'log'>;

/**
 * Recipients may be strangers and the words are the organization's: limited, so that nobody can advertise through us.
 */
export async function countInvitation(
  email: string,
  { orgId }: Caller,
  { rates, clock }: Pick<Deps, 'rates' | 'clock'>,
): Promise<void> {
  const { full } = await rates.countInvitation(orgId, email, clock.now());
  if (full) throw new AppError('rate_limited', `Too many invitations. Try again in ${full.retryAfter} s.`, full);
}

/**
 * A failed mail undoes nothing: the answer shows that it is still owed. It is noted after sending, so it may be sent
 * twice but not be lost.
 */
export async function invite(member: Membership, caller: Caller, deps: Needs): Promise<Membership> {
  const organization = await deps.organizations.byId(caller.orgId);
  const mail = invitationMail({
    to: member.email,
    by: personOf(caller).email,
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
  await deps.members.noteInvited(member, at);
  return { ...member, invited_at: at.toISOString() };
}
