import type { PlanName } from '#shared/domain/accounts/plans.catalog.ts';

/** The status of identity verification. Live keys work only while it is approved. */
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const;

export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly kyc: (typeof KYC_STATUSES)[number];
  readonly plan: PlanName;
  readonly created_at: string;
};

/**
 * The future owner of a bootstrapped organization and of the platform. There is no user yet: the first sign-in with
 * this address finds the record and creates the user.
 */
export type Owner = {
  readonly email: string;
  readonly org_id: string;
  readonly created_at: string;
  /** When the owner first signed in. From then on only memberships count, and this record grants nothing more. */
  readonly taken_up_at?: string;
};
