import type { Problem } from './generated/schemas.ts';

/** What the API calls the error; `Problem` in the API's document lists them all. */
export type ErrorCode = Problem['code'];

/**
 * What only the client can tell. `connection_failed` and `timed_out`: no response came, `status` is 0.
 * `unreadable_response`: one came, and the API did not write it (a proxy may have).
 */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unreadable_response';

type ErrorParts = Partial<PayforkError> & Pick<PayforkError, 'status' | 'code' | 'message'>;

/** A request that failed. A declined payment is no error: it is a payment with the status `failed`. */
export class PayforkError extends Error {
  override readonly name = 'PayforkError';
  /** The HTTP status; 0 if there was no response. */
  declare readonly status: number;
  declare readonly code: ErrorCode | ClientErrorCode;
  /** For `invalid_request`: what is wrong with which field. */
  declare readonly details: Problem['details'];
  /** Where the reference says what causes this error, and what to do. */
  declare readonly docUrl: string | undefined;
  /** Identifies the request in the API's logs: quote it to support. */
  declare readonly requestId: string | undefined;
  /** In seconds. */
  declare readonly retryAfter: number | undefined;
  /** What the API says about a repeat of the same request. */
  declare readonly shouldRetry: boolean | undefined;
  /** To repeat the same operation, also after a crash: a new key would be a second operation. */
  declare readonly idempotencyKey: string | undefined;

  constructor({ message, cause, ...parts }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, parts);
  }
}

/** Whether this is an error of the API or the client, with one of these codes if any are given. */
export const isPayforkError = <Code extends ErrorCode | ClientErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PayforkError & { readonly code: Code } =>
  error instanceof PayforkError && (codes.length === 0 || codes.some((code) => code === error.code));
