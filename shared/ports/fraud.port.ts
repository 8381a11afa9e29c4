import type { FraudPolicy, VelocityRule } from '#shared/domain/routing/fraud-policy.model.ts';

export interface FraudPoliciesPort {
  /** Undefined if the organization never saved one. */
  get(orgId: string): Promise<FraudPolicy | undefined>;
  /** False if another one was saved since `before` was read. */
  save(orgId: string, before: FraudPolicy | undefined, after: FraudPolicy): Promise<boolean>;
}

/** A payment to count against a velocity rule, by the value of the rule's field. */
export type VelocityAsk = {
  readonly orgId: string;
  readonly rule: VelocityRule;
  readonly value: string;
  readonly paymentId: string;
  readonly amount: number;
};

/** Both answer the asks without room. A payment counts once, however often it asks. Exact under concurrency. */
export interface VelocityPort {
  /** Counts all, or none where one has no room. */
  pass(asks: readonly VelocityAsk[], at: Date): Promise<readonly VelocityAsk[]>;
  /** Counts each that has room. */
  passEach(asks: readonly VelocityAsk[], at: Date): Promise<readonly VelocityAsk[]>;
}
