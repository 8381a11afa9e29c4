import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, stateOf } from '#shared/http/request-state.ts';
import { isPublic } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** A public key has no scopes: it opens what is public, and nothing else. */
export const requireScope = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const { credential, route } = stateOf(event);
    if (isPublic(route)) return;
    if (!credential?.scopes.includes(route.scope)) throw new AppError('missing_scope', `This key lacks the scope ${route.scope}.`);
  },
});
