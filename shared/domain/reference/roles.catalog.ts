import { SCOPES, type Scope } from '#shared/domain/reference/scopes.catalog.ts';

/** Roles in an organization, strongest first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Roles on the platform, stronger first. */
export const PLATFORM_ROLES = ['platform_owner', 'platform_admin'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

/** Whether `role` is at least `least`. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);
export const isPlatformAtLeast = (role: PlatformRole, least: PlatformRole): boolean =>
  PLATFORM_ROLES.indexOf(role) <= PLATFORM_ROLES.indexOf(least);

const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  owner: SCOPES,
  admin: SCOPES,
  member: SCOPES.filter((scope) => !scope.startsWith('api_keys:')),
  viewer: SCOPES.filter((scope) => scope.endsWith(':read')),
};

/** The scopes of a role. */
export const scopesOf = (role: Role): readonly Scope[] => SCOPES_OF[role];
