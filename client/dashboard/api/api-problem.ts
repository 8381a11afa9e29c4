/** What a screen needs to know of a request that failed. The client's errors have this shape. */
export type ApiProblem = {
  readonly message: string;
  /** 0: there was no response. */
  readonly status: number;
  readonly code: string;
  readonly requestId?: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads any thrown value: the client's errors, a lost connection, or a mistake of our own. */
export function problemOf(error: unknown): ApiProblem {
  const found: Readonly<Record<string, unknown>> = error instanceof Error ? { ...error } : {};
  const requestId = text(found.requestId);
  return {
    message: error instanceof Error ? error.message : String(error),
    status: typeof found.status === 'number' ? found.status : 0,
    code: text(found.code) ?? 'connection_failed',
    ...(requestId !== undefined && { requestId }),
    details: detailsIn(found.details),
  };
}

function detailsIn(details: unknown): ApiProblem['details'] {
  const listed = Array.isArray(details) ? details : Object(details).fields;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap(({ path, message }) => (text(path) && text(message) ? [{ path, message }] : []));
}

/** What the API says of one field, such as `body.amount`. */
export const fieldError = (problem: ApiProblem | undefined, field: string): string | undefined =>
  problem?.details.find(({ path }) => path === field || path === `body.${field}`)?.message;

/** A person who may not do this, as opposed to a thing that went wrong. */
export const isForbidden = ({ status }: ApiProblem): boolean => status === 403;
/** Other answers with 401 are about a code, a link or a proof: the session goes on. */
export const isSignedOut = ({ status, code }: ApiProblem): boolean =>
  status === 401 && (code === 'invalid_session' || code === 'invalid_api_key');

/** The API continues such a change when its key is sent again. */
const CONTINUES: ReadonlySet<string> = new Set(['idempotency_in_progress', 'outcome_unknown', 'write_conflict']);

/** Refusals that come before the API looks whether it has done the same already. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/**
 * Whether the change may have happened all the same: the response was lost or is no response of the API, or the server
 * failed underneath. The same idempotency key must then be sent again, never a new one. `wasUnknown`: it may have happened
 * before this try.
 */
export const isOutcomeUnknown = ({ status, code }: ApiProblem, wasUnknown = false): boolean =>
  status < 400 || status === 408 || status >= 500 || CONTINUES.has(code) || (wasUnknown && SAYS_NOTHING.has(status));
