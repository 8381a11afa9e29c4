import {
  DEFAULT_SETTINGS,
  type Organization,
  type OrganizationSettings,
} from '#shared/domain/accounts/organization.model.ts';
import type { Role } from '#shared/domain/reference/access.catalog.ts';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';

type RenameInput = { readonly name?: string | undefined; readonly legal_name?: string | null | undefined };

export type OrganizationNames = Pick<Organization, 'name' | 'legal_name' | 'requested_legal_name' | 'kyc'>;

/**
 * A KYC decision is about one legal name: a new name must be verified again, a new spelling need not. An approved
 * organization takes payments under its legal name, so it keeps that one until the new one is approved. Without a legal
 * name it is not approved any more. Undefined if nothing changes.
 */
export function rename(before: Organization, input: RenameInput): OrganizationNames | undefined {
  const requested = before.requested_legal_name ?? null;
  const next = { ...renamed(before, input), name: input.name ?? before.name };
  const isUnchanged =
    next.name === before.name && next.legal_name === before.legal_name && next.requested_legal_name === requested;
  return isUnchanged ? undefined : next;
}

function renamed(
  { legal_name, requested_legal_name = null, kyc }: Organization,
  { legal_name: wanted }: RenameInput,
): Omit<OrganizationNames, 'name'> {
  if (wanted === undefined) return { legal_name, requested_legal_name, kyc };
  if (kyc === 'approved' && wanted !== null)
    return { legal_name, requested_legal_name: wanted === legal_name ? null : wanted, kyc };
  const isSame = wanted === legal_name || matchNames(legal_name, wanted) === 'match';
  return { legal_name: wanted, requested_legal_name: null, kyc: isSame ? kyc : 'pending' };
}

/** Administrators set the name of an organization that is not approved yet. Afterwards money moves under that name. */
export function assertMayRename(role: Role | null, before: Organization, names: OrganizationNames): void {
  const isAboutLegalName =
    names.legal_name !== before.legal_name || names.requested_legal_name !== (before.requested_legal_name ?? null);
  if (role === 'owner' || before.kyc !== 'approved' || !isAboutLegalName) return;
  throw new AppError(
    'missing_role',
    'This organization is approved under its legal name. Only an owner can change `legal_name` now.',
  );
}

export const settingsOf = ({ settings }: Pick<Organization, 'settings'>): OrganizationSettings => ({
  ...DEFAULT_SETTINGS,
  ...settings,
});

/** A fallback in each setting: one saved by an older release lacks the newer ones. Undefined if nothing changes. */
export function changeSettings(
  organization: Pick<Organization, 'settings'>,
  input: { readonly [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined },
): OrganizationSettings | undefined {
  const before = settingsOf(organization);
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const after: OrganizationSettings = { ...before, ...Object.fromEntries(given) };
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : after;
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

/** For an organization with `quarantined_at`: it is stopped at once, in every stage, whoever asks for what. */
export const quarantined = (): AppError =>
  new AppError(
    'organization_quarantined',
    'This organization was stopped by the operator of the service. Contact them. Payments under way still settle.',
  );

/** All copies are written in one transaction. */
export const MAX_ROUTING_COPIES = 16;

/** The number of copies of an organization's routing snapshot. */
export const routingCopiesOf = ({ capacity }: Pick<Organization, 'capacity'>): number =>
  Math.min(MAX_ROUTING_COPIES, Math.max(1, capacity?.routing_copies ?? 1));
