import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAct, PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';
import type { PlatformRole } from '#shared/domain/reference/roles.catalog.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';

type Actor = { readonly userId: string; readonly email: string };
type Told = Pick<PlatformAct, 'action' | 'target' | 'metadata'>;

/** Its id derives from the operation: a repeat after a crash is the same act. */
export const actOf = (told: Told, { userId, email }: Actor, operation: Operation): PlatformAct => ({
  id: operationId(operation, 'act'),
  actor_id: userId,
  actor_email: email,
  ...told,
  created_at: operation.at.toISOString(),
});

/**
 * A decision about an organization, and its reason. It is logged even where nothing changes: it confirms what was
 * decided.
 */
export type Verdict =
  | {
      readonly action: 'kyc_approved' | 'kyc_rejected';
      readonly change: Pick<Organization, 'kyc'>;
      readonly reason: string | null;
      /** The legal name that was verified, if the caller names it. */
      readonly lookedAt?: string | null | undefined;
    }
  | { readonly action: 'plan_changed'; readonly change: Pick<Organization, 'plan'> };

export function verdictTold(before: Organization, verdict: Verdict): Told {
  const target = { type: 'organization', id: before.id, name: before.name } as const;
  if (verdict.action === 'plan_changed') {
    return {
      action: verdict.action,
      target,
      metadata: { changes: { plan: { from: before.plan, to: verdict.change.plan } }, reason: null },
    };
  }
  const { action, change, reason } = verdict;
  return {
    action,
    target,
    metadata: { changes: { kyc: { from: before.kyc, to: change.kyc } }, reason, legal_name: before.legal_name },
  };
}

/** The documents of one name don't prove another, which the organization may have taken since. */
export function refuseOtherName({ legal_name }: Organization, verdict: Verdict): void {
  if (verdict.action === 'plan_changed' || verdict.lookedAt === undefined || verdict.lookedAt === legal_name) return;
  throw new AppError('legal_name_changed', 'The organization has another legal name now. Look at it again.');
}

/** A change of a user's platform role; at least one of the two is given. */
export function roleTold(before: PlatformAdmin | undefined, after: PlatformAdmin | undefined): Told {
  const { user_id = '', email = '' } = after ?? before ?? {};
  const action = before === undefined ? 'admin_added' : after === undefined ? 'admin_removed' : 'admin_changed';
  const changes = { role: { from: before?.role ?? null, to: after?.role ?? null } };
  return { action, target: { type: 'user', id: user_id, name: email }, metadata: { changes, reason: null } };
}

/**
 * Another owner, where this change removes one. The write requires that they still are, so that of two owners who
 * remove each other one fails.
 */
export function ownerStaying(
  before: PlatformAdmin | undefined,
  role: PlatformRole | undefined,
  admins: readonly PlatformAdmin[],
): PlatformAdmin | undefined {
  if (before?.role !== 'platform_owner' || role === 'platform_owner') return undefined;
  const other = admins.find(({ user_id, role: theirs }) => theirs === 'platform_owner' && user_id !== before.user_id);
  if (!other)
    throw new AppError('last_platform_owner', 'The platform keeps at least one owner. Make another one first.');
  return other;
}
