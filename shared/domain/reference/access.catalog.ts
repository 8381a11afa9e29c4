/** What an API key may be allowed to do. */
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

/** Roles in an organization, strongest first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Roles on the platform, stronger first. */
export const PLATFORM_ROLES = ['platform_owner', 'platform_admin'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

/** Whether `role` is `min` or higher. */
export const isAtLeast = (role: Role, min: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(min);
export const isPlatformAtLeast = (role: PlatformRole, min: PlatformRole): boolean =>
  PLATFORM_ROLES.indexOf(role) <= PLATFORM_ROLES.indexOf(min);

const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  member: SCOPES.filter((scope) => !scope.startsWith('api_keys:')),
  viewer: SCOPES.filter((scope) => scope.endsWith(':read')),
};

/** The scopes of a role. */
export const scopesOf = (role: Role): readonly Scope[] => SCOPES_OF[role];
