import type { Problem } from './generated/schemas.ts';

/** What the API calls the error; `Problem` in the API's document lists them all. */
export type ErrorCode = Problem['code'];

/**
 * What only the client can tell. `connection_failed` and `timed_out`: no response came, `status` is 0.
 * `unreadable_response`: one came, and the API did not write it (a proxy may have).
 */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unreadable_response';

type PayforkErrorParts = {
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly details?: Problem['details'];
  readonly requestId?: string;
  readonly retryAfter?: number;
  readonly idempotencyKey?: string;
  readonly cause?: unknown;
};

/** A request that failed. A declined payment is no error: it is a payment with the status `failed`. */
export class PayforkError extends Error {
  override readonly name = 'PayforkError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  /** For `invalid_request`: what is wrong with which field. */
  readonly details: Problem['details'];
  /** Identifies the request in the API's logs: quote it to support. */
  readonly requestId: string | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;
  /** To repeat the same operation, also after a crash: a new key would be a second operation. */
  readonly idempotencyKey: string | undefined;

  constructor({ message, cause, ...parts }: PayforkErrorParts) {
    super(message, { cause });
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details;
    this.requestId = parts.requestId;
    this.retryAfter = parts.retryAfter;
    this.idempotencyKey = parts.idempotencyKey;
  }
}

/** Whether this is an error of the API or the client, with one of these codes if any are given. */
export const isPayforkError = (
  error: unknown,
  ...codes: readonly (ErrorCode | ClientErrorCode)[]
): error is PayforkError => error instanceof PayforkError && (codes.length === 0 || codes.includes(error.code));
