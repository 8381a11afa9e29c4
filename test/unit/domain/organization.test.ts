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
  ['keeps everything if nothing is sent', {}, {}, undefined],
  ['keeps everything if the same names are sent', {}, { name: 'Shop', legal_name: 'Shop Ltd' }, undefined],
  [
    'keeps the KYC status for a new display name',
    {},
    { name: 'Store' },
    { name: 'Store', legal_name: 'Shop Ltd', requested_legal_name: null, kyc: 'approved' },
  ],
  [
    'keeps the KYC status for another spelling of the legal name',
    { kyc: 'pending' },
    { legal_name: 'SHOP, Limited' },
    { name: 'Shop', legal_name: 'SHOP, Limited', requested_legal_name: null, kyc: 'pending' },
  ],
  [
    'lets a new legal name of an approved organization wait for its approval',
    {},
    { legal_name: 'Store Ltd' },
    { name: 'Shop', legal_name: 'Shop Ltd', requested_legal_name: 'Store Ltd', kyc: 'approved' },
  ],
  [
    'lets another spelling of an approved legal name wait too',
    { requested_legal_name: 'Store Ltd' },
    { legal_name: 'SHOP, Limited' },
    { name: 'Shop', legal_name: 'Shop Ltd', requested_legal_name: 'SHOP, Limited', kyc: 'approved' },
  ],
  [
    'withdraws a requested name if the current one is sent',
    { requested_legal_name: 'Store Ltd' },
    { legal_name: 'Shop Ltd' },
    { name: 'Shop', legal_name: 'Shop Ltd', requested_legal_name: null, kyc: 'approved' },
  ],
  [
    'keeps everything if the requested name is sent again',
    { requested_legal_name: 'A' },
    { legal_name: 'A' },
    undefined,
  ],
  [
    'keeps a requested name if only the display name changes',
    { requested_legal_name: 'Store Ltd' },
    { name: 'Store' },
    { name: 'Store', legal_name: 'Shop Ltd', requested_legal_name: 'Store Ltd', kyc: 'approved' },
  ],
  [
    'sets KYC to pending if the legal name is removed',
    {},
    { legal_name: null },
    { name: 'Shop', legal_name: null, requested_legal_name: null, kyc: 'pending' },
  ],
  [
    'sets KYC to pending for a first legal name',
    { legal_name: null, kyc: 'rejected' },
    { legal_name: 'Shop Ltd' },
    { name: 'Shop', legal_name: 'Shop Ltd', requested_legal_name: null, kyc: 'pending' },
  ],
  [
    'keeps everything if there is still no legal name',
    { legal_name: null },
    { name: 'Store', legal_name: null },
    { name: 'Store', legal_name: null, requested_legal_name: null, kyc: 'approved' },
  ],
  [
    'sets KYC from rejected to pending for a new legal name',
    { kyc: 'rejected' },
    { legal_name: 'Store' },
    { name: 'Shop', legal_name: 'Store', requested_legal_name: null, kyc: 'pending' },
  ],
  [
    'keeps KYC rejected for another spelling of the legal name',
    { kyc: 'rejected' },
    { legal_name: 'shop' },
    { name: 'Shop', legal_name: 'shop', requested_legal_name: null, kyc: 'rejected' },
  ],
])('%s', (_, about, input, renamed) => expect(rename({ ...SHOP, ...about }, input)).toEqual(renamed));
