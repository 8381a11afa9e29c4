import type { FraudPolicy, VelocityRule } from '#shared/domain/routing/fraud-policy.model.ts';

export interface FraudPoliciesPort {
  /** Undefined if the organization never saved one. */
  get(orgId: string): Promise<FraudPolicy | undefined>;
  /** False if another one was saved since `before` was read. */
  save(orgId: string, before: FraudPolicy | undefined, after: FraudPolicy): Promise<boolean>;
}

/** A payment to count against a velocity rule, by the value of the rule's field. */
export type VelocityCheck = {
  readonly orgId: string;
  readonly rule: VelocityRule;
  readonly value: string;
  readonly paymentId: string;
  readonly amount: number;
};

/**
 * Both return the checks whose limit is reached. A payment counts once, however often it is checked. Exact under
 * concurrency.
 */
export interface VelocityPort {
  /** Counts all, or none if one has reached its limit. */
  countAllOrNone(checks: readonly VelocityCheck[], at: Date): Promise<readonly VelocityCheck[]>;
  /** Counts each that has not reached its limit. */
  countEach(checks: readonly VelocityCheck[], at: Date): Promise<readonly VelocityCheck[]>;
}
