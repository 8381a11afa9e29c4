import type { Endpoint } from '#lib/reference/api-description.ts';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_CODES, text);

/** What this operation alone refuses: a wrong key, a broken body or a limit may end any request. */
export const ownErrorsOf = (endpoint: Endpoint): readonly ErrorCode[] =>
  (endpoint['x-error-codes'] ?? []).filter(isCode);

/** Codes of single operations, with those operations. */
export function operationsByCode(endpoints: readonly Endpoint[]): ReadonlyMap<ErrorCode, readonly Endpoint[]> {
  const uses = endpoints.flatMap((endpoint) => ownErrorsOf(endpoint).map((code) => ({ code, endpoint })));
  const byCode = Map.groupBy(uses, ({ code }) => code);
  return new Map([...byCode].map(([code, of]) => [code, of.map(({ endpoint }) => endpoint)]));
}
