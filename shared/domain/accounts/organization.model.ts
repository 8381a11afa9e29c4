import type { PlanName } from '#shared/domain/accounts/plans.catalog.ts';

/** The state of identity verification. Only approved organizations use live keys. */
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const;

export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly kyc: (typeof KYC_STATUSES)[number];
  readonly plan: PlanName;
  readonly created_at: string;
};
