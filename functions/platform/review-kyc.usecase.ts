import type { ApproveKycInput, RejectKycInput } from '#functions/platform/platform.schema.ts';
import { assertNotDemoted, platformActorOf } from '#functions/platform/platform-actor.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { auditEntry, decideReview, type OrganizationReview } from '#shared/domain/accounts/platform.rules.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ReviewDeps = Pick<Deps, 'organizations' | 'platform' | 'users' | 'clock'>;

/** An administrator's decision about an organization, with its audit entry. */
export function reviewOrganization(
  orgId: string,
  review: OrganizationReview,
  caller: Caller,
  { organizations, platform, clock }: Pick<ReviewDeps, 'organizations' | 'platform' | 'clock'>,
): Promise<Organization> {
  return retryOnConflict(async () => {
    const before = orNotFound(
      isId('organization', orgId) ? await organizations.byId(orgId) : undefined,
      'This organization does not exist.',
    );
    // Of now: a request that comes again after a crash began long ago.
    const { change, audited } = decideReview(before, review, clock.now());
    const entry = auditEntry(audited, signedInUserOf(caller), caller.operation);
    const outcome = assertNotDemoted(await platform.changeOrganization(before, change, entry, platformActorOf(caller)));
    if (outcome === 'done') return { ...before, ...change };
    return outcome === 'repeated' ? before : undefined;
  }, 'This organization was changed by another request. Try again.');
}

/** Without a name in the request, the current legal name is approved. */
export async function approveKyc({ org_id, legal_name }: ApproveKycInput, caller: Caller, deps: ReviewDeps) {
  await assertOtherReviewer(org_id, caller, deps);
  return reviewOrganization(org_id, { action: 'kyc_approved', legal_name }, caller, deps);
}

/**
 * Nobody approves their own organization: an invented company would pass. A platform with a single administrator could
 * otherwise never approve its own, so that one may. The audit log names them.
 */
async function assertOtherReviewer(
  orgId: string,
  caller: Caller,
  { users, platform }: Pick<Deps, 'users' | 'platform'>,
): Promise<void> {
  const { userId } = signedInUserOf(caller);
  const [membership, admins] = await Promise.all([users.membership(userId, orgId), platform.admins()]);
  if (!membership || admins.every(({ user_id }) => user_id === userId)) return;
  throw new AppError(
    'own_organization',
    'You are a member of this organization. Another administrator of the platform must approve it.',
  );
}

/** Also withdraws an earlier approval. With the name that waits for approval, only that name is rejected. */
export const rejectKyc = ({ org_id, reason, legal_name }: RejectKycInput, caller: Caller, deps: ReviewDeps) =>
  reviewOrganization(org_id, { action: 'kyc_rejected', reason, legal_name }, caller, deps);
