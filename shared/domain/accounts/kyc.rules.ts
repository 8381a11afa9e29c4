import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Live payments need an approved identity, for as long as the approval stands. */
export const isVerified = (organization: Pick<Organization, 'kyc'> | undefined): boolean =>
  organization?.kyc === 'approved';

export function refuseUnverified(organization: Pick<Organization, 'kyc'> | undefined): void {
  if (isVerified(organization)) return;
  throw new AppError(
    'kyc_required',
    "Live keys and live payments need the organization's identity verification to be approved.",
  );
}
