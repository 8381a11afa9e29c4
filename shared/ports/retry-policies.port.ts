import type { RetryPolicy } from '#shared/domain/retry-policy.model.ts';

export interface RetryPoliciesPort {
  /** Of a plan; of the organization where `planId` is empty. */
  get(orgId: string, planId: string): Promise<RetryPolicy | undefined>;
  /** By plan, the organization's own first. */
  list(orgId: string): Promise<readonly RetryPolicy[]>;
  /** False when somebody has saved another since `before` was read. */
  save(before: RetryPolicy | undefined, after: RetryPolicy): Promise<boolean>;
}
