import type { MiddlewareObj } from '@middy/core';
import type { ApiEvent, ApiResult } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Logs refused callbacks of known providers, and why. Unknown names are a stranger's text, and not logged. */
export const callbackRefusals = ({ log, psp }: Pick<Deps, 'log' | 'psp'>): MiddlewareObj<ApiEvent, ApiResult> => ({
  onError: ({ event, error }) => {
    const named = event.pathParameters?.provider;
    if (named === undefined) return;
    log.info('callback_refused', {
      provider: psp.adapter(named) ? named : 'unknown',
      code: error instanceof AppError ? error.code : 'internal_error',
    });
  },
});
