import { grownCapacity, type ListShardCount, maxListShards } from '#shared/domain/accounts/capacity.rules.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAdmin, PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import { DEFAULT_RATE, type OrganizationRate, RATE_CLASS_NAMES } from '#shared/domain/accounts/rate-limits.rules.ts';
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

/**
 * A decision about an organization. It is logged even if it changes nothing: it confirms an earlier decision.
 * `legal_name`: the name that the administrator has verified or rejected, if the request says so.
 */
export type OrganizationReview =
  | { readonly action: 'kyc_approved'; readonly legal_name: string | null | undefined }
  | { readonly action: 'kyc_rejected'; readonly legal_name: string | null | undefined; readonly reason: string }
  | { readonly action: 'plan_changed'; readonly plan: Organization['plan'] }
  | { readonly action: 'rate_changed'; readonly rate: OrganizationRate }
  | { readonly action: 'capacity_changed'; readonly list_shards: ListShardCount };

type ReviewedChange = Partial<
  Pick<Organization, 'kyc' | 'plan' | 'legal_name' | 'requested_legal_name' | 'rate' | 'capacity'>
>;
type ReviewDecision = { readonly change: ReviewedChange; readonly audited: AuditedChange };

/** What a decision changes, and what the audit log says about it. */
export function decideReview(before: Organization, review: OrganizationReview, at: Date): ReviewDecision {
  switch (review.action) {
    case 'plan_changed': {
      const { plan } = review;
      const metadata = { changes: { plan: { from: before.plan, to: plan } }, reason: null };
      return { change: { plan }, audited: { action: review.action, target: targetOf(before), metadata } };
    }
    case 'rate_changed':
      return changeRate(before, review.rate);
    case 'capacity_changed':
      return grow(before, review.list_shards, at);
    case 'kyc_approved':
      return approve(before, nameUnderReview(before, review.legal_name));
    case 'kyc_rejected':
      return reject(before, nameUnderReview(before, review.legal_name), review.reason);
  }
}

function changeRate(before: Organization, rate: OrganizationRate): ReviewDecision {
  const { rate: former = DEFAULT_RATE } = before;
  const changes = Object.fromEntries(
    RATE_CLASS_NAMES.map((name) => [`rate.${name}`, { from: String(former[name]), to: String(rate[name]) }]),
  );
  const metadata = { changes, reason: null };
  return { change: { rate }, audited: { action: 'rate_changed', target: targetOf(before), metadata } };
}

function grow(before: Organization, list_shards: ListShardCount, at: Date): ReviewDecision {
  const capacity = grownCapacity(before.capacity, list_shards, at);
  const from = String(maxListShards(before.capacity));
  const metadata = { changes: { 'capacity.list_shards': { from, to: String(list_shards) } }, reason: null };
  return { change: { capacity }, audited: { action: 'capacity_changed', target: targetOf(before), metadata } };
}

const targetOf = ({ id, name }: Organization) => ({ type: 'organization', id, name }) as const;

/**
 * The organization may have changed its legal name since. Documents for one name do not prove another. Without a name in
 * the request the decision is about the current one, not about one that may have been requested a moment ago.
 */
function nameUnderReview(organization: Organization, named: string | null | undefined): string | null {
  const { legal_name, requested_legal_name: requested } = organization;
  if (named === undefined || named === legal_name || (named !== null && named === requested))
    return named ?? legal_name;
  throw new AppError('legal_name_changed', 'The organization has changed its legal name. Review it again.');
}

/** A requested name takes effect. */
function approve(before: Organization, legal_name: string | null): ReviewDecision {
  if (legal_name === null)
    throw new AppError(
      'legal_name_missing',
      'An organization without a legal name cannot be approved. Its owner must set `legal_name` first.',
    );
  const isRequested = legal_name !== before.legal_name;
  const change = { kyc: 'approved', ...(isRequested && { legal_name, requested_legal_name: null }) } as const;
  const changes = {
    kyc: { from: before.kyc, to: change.kyc },
    ...(isRequested && { legal_name: { from: before.legal_name, to: legal_name } }),
  };
  const metadata = { changes, reason: null, legal_name };
  return { change, audited: { action: 'kyc_approved', target: targetOf(before), metadata } };
}

/** A rejected request leaves the approved name as it is. A rejected identity leaves no request. */
function reject(before: Organization, legal_name: string | null, reason: string): ReviewDecision {
  const isRequested = legal_name !== before.legal_name;
  const kyc = isRequested ? before.kyc : 'rejected';
  const changes: AuditedChange['metadata']['changes'] = isRequested
    ? { requested_legal_name: { from: legal_name, to: null } }
    : { kyc: { from: before.kyc, to: kyc } };
  const action = isRequested ? 'legal_name_rejected' : 'kyc_rejected';
  return {
    change: { kyc, requested_legal_name: null },
    audited: { action, target: targetOf(before), metadata: { changes, reason, legal_name } },
  };
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
