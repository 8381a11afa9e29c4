import { PayforkError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Who is told to wait longer than this gets the error at once. */
const MAX_RETRY_AFTER_S = 60;

/**
 * Whether the same request may succeed later. A 409 says that the state does not allow it, or that the outcome is
 * unknown: sending again would not help, whatever else it says. The one exception waits for our own earlier try.
 */
function isTemporary({ status, code, shouldRetry }: PayforkError): boolean {
  if (status === 409 && code !== 'idempotency_in_progress') return false;
  // A redirect, whose status a browser hides.
  if (status === 0 && code === 'unreadable_response') return false;
  return shouldRetry ?? (status === 0 || status === 408 || status === 409 || status === 429 || status >= 500);
}

/** In milliseconds; undefined where the request is not sent again. */
export function retryDelay(error: unknown, retry: number, random: number): number | undefined {
  if (!(error instanceof PayforkError) || !isTemporary(error)) return undefined;
  if (error.retryAfter !== undefined && error.retryAfter > MAX_RETRY_AFTER_S) return undefined;
  const backOff = Math.min(FIRST_DELAY_MS * 2 ** retry, MAX_DELAY_MS) * (0.5 + random / 2);
  return error.retryAfter === undefined ? backOff : error.retryAfter * 1_000 + backOff / 10;
}

/** Refusals that come before the API looks whether it has had the same request already. */
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** Neither a refusal nor what the API did not write, such as a redirect, tells whether an earlier try has happened. */
const saysNothing = ({ status, code }: PayforkError): boolean => REFUSALS.has(status) || code === 'unreadable_response';

/**
 * What to tell the caller of a change at last. `lost`: an earlier try had no answer, so it may have happened; the answer
 * to the repeat must not hide that.
 */
export const errorToTell = (error: unknown, lost: PayforkError | undefined): unknown =>
  lost !== undefined && error instanceof PayforkError && saysNothing(error) ? lost : error;

/** Whether a try that is repeated may have happened. A 429 has not. */
export const isLost = (error: unknown): error is PayforkError => error instanceof PayforkError && error.status !== 429;

/** `Retry-After` in seconds. It may be a number, or a date. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
