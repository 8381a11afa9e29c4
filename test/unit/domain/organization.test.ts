import { expect, it } from 'vitest';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { rename } from '#shared/domain/accounts/organization.rules.ts';

const SHOP: Organization = {
  id: 'org_1',
  name: 'Shop',
  legal_name: 'Shop Ltd',
  kyc: 'approved',
  plan: 'free',
  created_at: '2026-01-01T00:00:00.000Z',
};

it.each<[string, Partial<Organization>, Parameters<typeof rename>[1], ReturnType<typeof rename>]>([
  ['nothing sent changes nothing', {}, {}, undefined],
  ['the same again changes nothing', {}, { name: 'Shop', legal_name: 'Shop Ltd' }, undefined],
  [
    'another name leaves the verdict',
    {},
    { name: 'Store' },
    { name: 'Store', legal_name: 'Shop Ltd', kyc: 'approved' },
  ],
  [
    'another spelling leaves the verdict',
    {},
    { legal_name: 'SHOP, Limited' },
    { name: 'Shop', legal_name: 'SHOP, Limited', kyc: 'approved' },
  ],
  [
    'another legal name must be looked at',
    {},
    { legal_name: 'Store Ltd' },
    { name: 'Shop', legal_name: 'Store Ltd', kyc: 'pending' },
  ],
  ['no legal name must be looked at', {}, { legal_name: null }, { name: 'Shop', legal_name: null, kyc: 'pending' }],
  [
    'a first legal name must be looked at',
    { legal_name: null },
    { legal_name: 'Shop Ltd' },
    { name: 'Shop', legal_name: 'Shop Ltd', kyc: 'pending' },
  ],
  [
    'no legal name stays none',
    { legal_name: null },
    { name: 'Store', legal_name: null },
    { name: 'Store', legal_name: null, kyc: 'approved' },
  ],
  [
    'one that was rejected is looked at again',
    { kyc: 'rejected' },
    { legal_name: 'Store' },
    { name: 'Shop', legal_name: 'Store', kyc: 'pending' },
  ],
  [
    'one that was rejected stays so in another spelling',
    { kyc: 'rejected' },
    { legal_name: 'shop' },
    { name: 'Shop', legal_name: 'shop', kyc: 'rejected' },
  ],
])('%s', (_, about, wish, renamed) => expect(rename({ ...SHOP, ...about }, wish)).toEqual(renamed));
