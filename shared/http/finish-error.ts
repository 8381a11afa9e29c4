import type { ApiResult } from '#shared/http/request.ts';

type ErrorContext = {
  readonly apiUrl: string;
  /** The request did not begin, or may be sent again: it reads, or has an idempotency key. */
  readonly isSafe: boolean;
  /** A page is for people: no program repeats it, and no browser shall ask for a password. */
  readonly isPage?: boolean;
};

/** A program that waits for longer than this looks dead to its own callers. In seconds. */
const MAX_WAIT = 60;

/**
 * What every error says beside its code: whether to send the request again, and where to read on. At the end of
 * the request, so that a stored error that is replayed has it too. Loaded at the first failure of a process; it imports
 * nothing, or else what it shares with the rest would be in a file of its own that each payment loads.
 */
export function finishError(response: ApiResult, { apiUrl, isSafe, isPage = false }: ErrorContext): void {
  const { statusCode = 500, headers = {} } = response;
  const problem = isPage ? undefined : problemIn(response);
  const mayRetry =
    isWorthRetrying(statusCode, problem?.code, isSafe) && Number(headers['retry-after'] ?? 0) <= MAX_WAIT;
  response.headers = {
    ...headers,
    'x-should-retry': String(mayRetry),
    ...(statusCode === 401 && !isPage && { 'www-authenticate': 'Bearer' }),
    ...(statusCode === 415 && { 'accept-encoding': 'gzip' }),
  };
  if (problem) response.body = JSON.stringify({ ...problem, doc_url: `${apiUrl}/docs/errors#${problem.code}` });
}

/** A 429 was not begun. Any other refusal would be repeated, but for one: the first try may be over by then. */
function isWorthRetrying(status: number, code: string | undefined, isSafe: boolean): boolean {
  if (status === 408 || status === 429) return true;
  return status >= 500 ? isSafe : code === 'idempotency_in_progress';
}

type Problem = { readonly code: string };

/** Hosted pages and providers get other bodies. */
function problemIn({ body = '' }: ApiResult): Problem | undefined {
  if (!body.startsWith('{')) return undefined;
  const parsed = JSON.parse(body) as { readonly code?: unknown };
  return typeof parsed.code === 'string' ? (parsed as Problem) : undefined;
}
