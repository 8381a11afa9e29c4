import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';

type RenameInput = { readonly name?: string | undefined; readonly legal_name?: string | null | undefined };

export type OrganizationNames = Pick<Organization, 'name' | 'legal_name' | 'kyc'>;

/**
 * A KYC decision is about one legal name: a new name must be verified again, a new spelling need not. Undefined if
 * nothing changes.
 */
export function rename({ name, legal_name, kyc }: Organization, input: RenameInput): OrganizationNames | undefined {
  const next = { name: input.name ?? name, legal_name: input.legal_name === undefined ? legal_name : input.legal_name };
  if (next.name === name && next.legal_name === legal_name) return undefined;
  const isSame = next.legal_name === legal_name || matchNames(legal_name, next.legal_name) === 'match';
  return { ...next, kyc: isSame ? kyc : 'pending' };
}

/** Live payments need an approved identity, which can be withdrawn. */
export const isVerified = (organization: Pick<Organization, 'kyc'> | undefined): boolean =>
  organization?.kyc === 'approved';

export function assertVerified(organization: Pick<Organization, 'kyc'> | undefined): void {
  if (isVerified(organization)) return;
  throw new AppError(
    'kyc_required',
    'Live keys and live payments need an approved identity verification (KYC) of the organization.',
  );
}
