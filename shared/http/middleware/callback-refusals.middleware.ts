import type { MiddlewareObj } from '@middy/core';
import type { ApiEvent, ApiResult } from '#shared/http/request-state.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Notes whose callbacks are not taken, and why. Strangers may call too: what they call themselves is not written down. */
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
