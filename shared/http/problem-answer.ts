import type { ApiResult } from '#shared/http/request-state.ts';
import { toProblem } from '#shared/kernel/errors.ts';

/** Turns an error into an answer. */
export function problemAnswer(error: unknown): ApiResult & { readonly body: string } {
  const { status, body } = toProblem(error);
  return {
    statusCode: status,
    headers: body.retry_after === undefined ? {} : { 'retry-after': String(body.retry_after) },
    body: JSON.stringify(body),
  };
}
