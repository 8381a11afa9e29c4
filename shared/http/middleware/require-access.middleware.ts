import type { MiddlewareObj } from '@middy/core';
import { isAtLeast, isPlatformAtLeast } from '#shared/domain/reference/roles.catalog.ts';
import { type ApiEvent, type ApiResult, type Credential, stateOf } from '#shared/http/request-state.ts';
import type { Route } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Checks what the credential may do. A public key has no scopes, and opens public endpoints only. */
export const requireAccess = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const { credential, route } = stateOf(event);
    if (credential) refuseWithout(route, credential);
  },
});

function refuseWithout(route: Route, { kind, scopes, person }: Credential): void {
  if ('scope' in route) {
    if (!scopes.includes(route.scope))
      throw new AppError('missing_scope', `This ${person ? 'role' : 'key'} lacks the scope ${route.scope}.`);
    return;
  }
  switch (route.access) {
    case 'member':
      if (person ? !person.role || !isAtLeast(person.role, route.role) : kind === 'public') {
        throw new AppError('missing_role', `This needs the role ${route.role} in the organization, or a stronger one.`);
      }
      return;
    case 'platform':
      if (!person?.platformRole || !isPlatformAtLeast(person.platformRole, route.role))
        throw new AppError('missing_role', `This needs the role ${route.role}.`);
      return;
    case 'public':
    case 'anyone':
    case 'signed_in':
      return;
  }
}
