import type { RateState } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { ApiResult } from '#shared/http/request-state.ts';

/** Headers of every answer. Set in `requestEnd`, since an early answer skips every `after`. */
export function stamp(response: ApiResult, requestId: string, rate: RateState | undefined): void {
  response.headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...response.headers,
    'x-request-id': requestId,
    ...(rate && {
      'x-ratelimit-limit': String(rate.limit),
      'x-ratelimit-remaining': String(rate.remaining),
      'x-ratelimit-reset': String(rate.resetAt),
    }),
  };
}
