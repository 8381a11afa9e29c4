import type { FraudPolicy, VelocityRule } from '#shared/domain/fraud-policy.model.ts';

export interface FraudPoliciesPort {
  /** Undefined where the organization never set one. */
  get(orgId: string): Promise<FraudPolicy | undefined>;
  /** False when somebody has saved another since `before` was read. */
  save(orgId: string, before: FraudPolicy | undefined, after: FraudPolicy): Promise<boolean>;
}

/** A payment that wants to pass a velocity rule, by the value of the rule's field. */
export type VelocityAsk = { readonly orgId: string; readonly rule: VelocityRule; readonly value: string; readonly paymentId: string; readonly amount: number };

/** Both give back those that have no room. A payment counts once, however often it asks. Exact, however many ask at once. */
export interface VelocityPort {
  /** Passes all, and counts from now on; or none where one has no room. */
  pass(asks: readonly VelocityAsk[], at: Date): Promise<readonly VelocityAsk[]>;
  /** Passes each that has room, whatever the others say. */
  passEach(asks: readonly VelocityAsk[], at: Date): Promise<readonly VelocityAsk[]>;
}
