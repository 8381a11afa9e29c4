import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';

type NameWish = { readonly name?: string | undefined; readonly legal_name?: string | null | undefined };

export type Renamed = Pick<Organization, 'name' | 'legal_name' | 'kyc'>;

/**
 * A KYC verdict is about the old legal name: another name must be verified again, another spelling of it not. Undefined
 * where nothing changes.
 */
export function rename({ name, legal_name, kyc }: Organization, wish: NameWish): Renamed | undefined {
  const next = { name: wish.name ?? name, legal_name: wish.legal_name === undefined ? legal_name : wish.legal_name };
  if (next.name === name && next.legal_name === legal_name) return undefined;
  const isSame = next.legal_name === legal_name || matchNames(legal_name, next.legal_name) === 'match';
  return { ...next, kyc: isSame ? kyc : 'pending' };
}
