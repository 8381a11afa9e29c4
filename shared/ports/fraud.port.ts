import type { FraudPolicy, VelocityRule } from '#shared/domain/fraud-policy.model.ts';

export interface FraudPoliciesPort {
  /** Undefined where the organization never set one. */
  get(orgId: string): Promise<FraudPolicy | undefined>;
  /** False when somebody has saved another since `before` was read. */
  save(orgId: string, before: FraudPolicy | undefined, after: FraudPolicy): Promise<boolean>;
}

/** A payment that wants to pass a velocity rule, by the value of the rule's field. */
export type VelocityAsk = { readonly orgId: string; readonly rule: VelocityRule; readonly value: string; readonly paymentId: string; readonly amount: number };

export interface VelocityPort {
  /** Whether the payment passes, and counts from now on: once, however often it asks. Exact, however many ask at once. */
  pass(ask: VelocityAsk, at: Date): Promise<boolean>;
  /** It did not pass after all. */
  giveBack(ask: VelocityAsk): Promise<void>;
}
