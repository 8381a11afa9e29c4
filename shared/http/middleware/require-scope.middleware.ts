import type { MiddlewareObj } from '@middy/core';
import { type ApiEvent, type ApiResult, stateOf } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';

export const requireScope = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const { credential, route } = stateOf(event);
    if (!credential?.scopes.includes(route.scope)) throw new AppError('missing_scope', `This key lacks the scope ${route.scope}.`);
  },
});
