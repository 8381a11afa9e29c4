export const LISTS = ['countries', 'emails', 'email_domains', 'customer_ids', 'ips'] as const;
export type ListName = (typeof LISTS)[number];

export const LIST_NAMES: Readonly<Record<ListName, string>> = {
  countries: 'countries',
  emails: 'e-mail addresses',
  email_domains: 'e-mail domains',
  customer_ids: 'customers',
  ips: 'IP addresses and networks',
};

export const LIST_EXAMPLES: Readonly<Record<ListName, string>> = {
  countries: 'KP, IR',
  emails: 'eve@example.com',
  email_domains: 'example.com',
  customer_ids: 'customer_17',
  ips: '203.0.113.0/24',
};

/** What payments are counted by, in "the same …". */
export const VELOCITY_FIELDS: Readonly<Record<string, string>> = {
  customer_id: 'customer',
  customer_email: 'e-mail address',
  ip: 'IP address',
  token: 'card or account',
};
