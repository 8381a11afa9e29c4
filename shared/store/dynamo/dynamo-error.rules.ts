import { TableError, type TableErrorKind } from '#shared/store/table/table.port.ts';

/** Errors of DynamoDB after which nothing was done, by name. */
const KNOWN_ERRORS: Readonly<Record<string, TableErrorKind>> = {
  ProvisionedThroughputExceededException: 'throttled',
  ThrottlingException: 'throttled',
  RequestLimitExceeded: 'throttled',
  LimitExceededException: 'throttled',
  TransactionConflictException: 'conflict',
  TransactionConflict: 'conflict',
  ProvisionedThroughputExceeded: 'throttled',
  ThrottlingError: 'throttled',
  ValidationException: 'invalid',
  ValidationError: 'invalid',
  ItemCollectionSizeLimitExceededException: 'too_large',
  ItemCollectionSizeLimitExceeded: 'too_large',
  IdempotentParameterMismatchException: 'invalid',
  ResourceNotFoundException: 'unavailable',
  AccessDeniedException: 'unavailable',
  UnrecognizedClientException: 'unavailable',
  ExpiredTokenException: 'unavailable',
  IncompleteSignatureException: 'unavailable',
  MissingAuthenticationTokenException: 'unavailable',
  InvalidSignatureException: 'unavailable',
  CredentialsProviderError: 'unavailable',
};

/** No connection was made, so nothing was sent. */
const NOT_SENT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const NO_CONNECTION = /without establishing a connection/i;

/** Anything else may have happened: a time-out, a reset, an internal error, a transaction in progress. */
export function toTableError(error: unknown): TableError {
  if (error instanceof TableError) return error;
  if (!(error instanceof Error)) return new TableError('unavailable', 'unknown', 'DynamoDB did not respond.', error);
  if (error.name === 'TransactionInProgressException')
    return new TableError('conflict', 'unknown', error.message, error);
  const kind = kindOf(error);
  if (kind) return new TableError(kind, 'not_done', error.message, error);
  return new TableError('unavailable', wasNotSent(error) ? 'not_done' : 'unknown', error.message, error);
}

type CancellationReason = { readonly Code?: string; readonly Message?: string };

/** The cause of a transaction that was canceled for other reasons than its conditions. */
export function cancellationError(reasons: readonly CancellationReason[], cause: Error): TableError {
  const reason = reasons.find(({ Code = 'None' }) => Code !== 'None');
  const kind = kindOf({ name: reason?.Code ?? '', message: reason?.Message ?? '' }) ?? 'unavailable';
  return new TableError(kind, 'not_done', reason?.Message ?? cause.message, cause);
}

function kindOf({ name, message }: { readonly name: string; readonly message: string }): TableErrorKind | undefined {
  const kind = KNOWN_ERRORS[name];
  return kind === 'invalid' && /item size/i.test(message) ? 'too_large' : kind;
}

const wasNotSent = (error: Error): boolean =>
  ('code' in error && NOT_SENT_CODES.has(String(error.code))) || NO_CONNECTION.test(error.message);
