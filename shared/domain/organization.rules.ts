import { matchNames } from '#shared/domain/name-match.rules.ts';
import type { Organization } from '#shared/domain/organization.model.ts';

export type NameWish = { readonly name?: string | undefined; readonly legal_name?: string | null | undefined };

export type Renamed = Pick<Organization, 'name' | 'legal_name' | 'kyc'>;

/**
 * Who was looked at is the one with the old legal name, whatever came of it: another one must be looked at again. The same
 * name in another spelling is no other one. Undefined where nothing changes.
 */
export function rename({ name, legal_name, kyc }: Organization, wish: NameWish): Renamed | undefined {
  const next = { name: wish.name ?? name, legal_name: wish.legal_name === undefined ? legal_name : wish.legal_name };
  if (next.name === name && next.legal_name === legal_name) return undefined;
  const isSame = next.legal_name === legal_name || matchNames(legal_name, next.legal_name) === 'match';
  return { ...next, kyc: isSame ? kyc : 'pending' };
}
