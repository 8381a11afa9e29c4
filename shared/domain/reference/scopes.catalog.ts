/** What a key may be allowed to do. */
export const SCOPES = [
  'connections:read',
  'connections:write',
  'payments:read',
  'payments:write',
  'fraud:read',
  'fraud:write',
  'webhooks:read',
  'webhooks:write',
  'subscriptions:read',
  'subscriptions:write',
  'invoices:read',
  'invoices:write',
  'api_keys:read',
  'api_keys:write',
  'workflows:read',
  'workflows:write',
] as const;

export type Scope = (typeof SCOPES)[number];
