import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAdmin, PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import type { PlatformRole } from '#shared/domain/reference/access.catalog.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';

type Actor = { readonly userId: string; readonly email: string };
type AuditedChange = Pick<PlatformAuditEntry, 'action' | 'target' | 'metadata'>;

/** The id derives from the operation, so that a retry after a crash does not log the change twice. */
export const auditEntry = (
  change: AuditedChange,
  { userId, email }: Actor,
  operation: Operation,
): PlatformAuditEntry => ({
  id: operationId(operation, 'act'),
  actor_id: userId,
  actor_email: email,
  ...change,
  created_at: operation.at.toISOString(),
});

/** A decision about an organization. It is logged even if it changes nothing: it confirms an earlier decision. */
export type OrganizationReview =
  | {
      readonly action: 'kyc_approved' | 'kyc_rejected';
      readonly change: Pick<Organization, 'kyc'>;
      readonly reason: string | null;
      /** The legal name that was verified, if the administrator sent it. */
      readonly reviewedName?: string | null | undefined;
    }
  | { readonly action: 'plan_changed'; readonly change: Pick<Organization, 'plan'> };

export function describeReview(before: Organization, review: OrganizationReview): AuditedChange {
  const target = { type: 'organization', id: before.id, name: before.name } as const;
  if (review.action === 'plan_changed') {
    return {
      action: review.action,
      target,
      metadata: { changes: { plan: { from: before.plan, to: review.change.plan } }, reason: null },
    };
  }
  const { action, change, reason } = review;
  return {
    action,
    target,
    metadata: { changes: { kyc: { from: before.kyc, to: change.kyc } }, reason, legal_name: before.legal_name },
  };
}

/** The organization may have changed its legal name since. Documents for one name do not prove another. */
export function assertReviewedName({ legal_name }: Organization, review: OrganizationReview): void {
  if (review.action === 'plan_changed' || review.reviewedName === undefined || review.reviewedName === legal_name)
    return;
  throw new AppError('legal_name_changed', 'The organization has changed its legal name. Review it again.');
}

/** A change of a user's platform role. At least one of the two is set. */
export function describeRoleChange(before: PlatformAdmin | undefined, after: PlatformAdmin | undefined): AuditedChange {
  const { user_id = '', email = '' } = after ?? before ?? {};
  const action = roleAction(before, after);
  const changes = { role: { from: before?.role ?? null, to: after?.role ?? null } };
  return { action, target: { type: 'user', id: user_id, name: email }, metadata: { changes, reason: null } };
}

function roleAction(before: PlatformAdmin | undefined, after: PlatformAdmin | undefined) {
  if (before === undefined) return 'admin_added';
  return after === undefined ? 'admin_removed' : 'admin_changed';
}

/**
 * Another owner, if this change removes one. The write requires that the other is still an owner, so that of two owners
 * who remove each other one fails.
 */
export function remainingOwner(
  before: PlatformAdmin | undefined,
  role: PlatformRole | undefined,
  admins: readonly PlatformAdmin[],
): PlatformAdmin | undefined {
  if (before?.role !== 'platform_owner' || role === 'platform_owner') return undefined;
  const other = admins.find(({ user_id, role: theirs }) => theirs === 'platform_owner' && user_id !== before.user_id);
  if (!other)
    throw new AppError(
      'last_platform_owner',
      'The platform needs at least one owner. Make someone else an owner first.',
    );
  return other;
}
