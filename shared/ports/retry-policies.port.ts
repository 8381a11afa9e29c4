import type { RetryPolicy } from '#shared/domain/billing/retry-policy.rules.ts';

export interface RetryPoliciesPort {
  /** A plan's policy; the organization's own where `planId` is empty. */
  get(orgId: string, planId: string): Promise<RetryPolicy | undefined>;
  /** Sorted by plan, the organization's own first. */
  list(orgId: string): Promise<readonly RetryPolicy[]>;
  /** False if another one was saved since `before` was read. */
  save(before: RetryPolicy | undefined, after: RetryPolicy): Promise<boolean>;
}
