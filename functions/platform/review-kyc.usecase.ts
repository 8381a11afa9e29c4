import type { ApproveKycInput } from '#functions/platform/platform.schema.ts';
import { assertNotDemoted, platformActorOf } from '#functions/platform/platform-actor.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import {
  assertReviewedName,
  auditEntry,
  describeReview,
  type OrganizationReview,
} from '#shared/domain/accounts/platform.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ReviewDeps = Pick<Deps, 'organizations' | 'platform'>;

/**
 * An administrator's decision about an organization, with its audit entry. Administrators may decide about their own
 * organization: otherwise a platform with one owner could never approve it. The audit log names them.
 */
export function reviewOrganization(
  orgId: string,
  review: OrganizationReview,
  caller: Caller,
  { organizations, platform }: ReviewDeps,
): Promise<Organization> {
  return retryOnConflict(async () => {
    const before = orNotFound(
      isId('organization', orgId) ? await organizations.byId(orgId) : undefined,
      'This organization does not exist.',
    );
    assertReviewedName(before, review);
    const entry = auditEntry(describeReview(before, review), signedInUserOf(caller), caller.operation);
    const outcome = assertNotDemoted(
      await platform.changeOrganization(before, review.change, entry, platformActorOf(caller)),
    );
    if (outcome === 'done') return { ...before, ...review.change };
    return outcome === 'repeated' ? before : undefined;
  }, 'This organization was changed by another request. Try again.');
}

/** Without a name in the request, the current legal name is approved, even if there is none yet. */
export const approveKyc = ({ org_id, legal_name }: ApproveKycInput, caller: Caller, deps: ReviewDeps) =>
  reviewOrganization(
    org_id,
    { action: 'kyc_approved', change: { kyc: 'approved' }, reason: null, reviewedName: legal_name },
    caller,
    deps,
  );

type RejectInput = { readonly org_id: string; readonly reason: string };

/** Also withdraws an earlier approval. */
export const rejectKyc = ({ org_id, reason }: RejectInput, caller: Caller, deps: ReviewDeps) =>
  reviewOrganization(org_id, { action: 'kyc_rejected', change: { kyc: 'rejected' }, reason }, caller, deps);
