/** Every error code of the API. Adding an error is adding a line here. */
export const ERROR_CODES = {
  invalid_request: { status: 400, error: 'invalid_request' },
  malformed_json: { status: 400, error: 'invalid_request' },
  unsupported_content_type: { status: 400, error: 'invalid_request' },
  malformed_gzip: { status: 400, error: 'invalid_request' },
  unsupported_content_encoding: { status: 415, error: 'invalid_request' },
  body_too_large: { status: 413, error: 'invalid_request' },
  raw_card_data: { status: 400, error: 'invalid_request' },
  org_id_required: { status: 400, error: 'invalid_request' },
  idempotency_key_required: { status: 400, error: 'invalid_request' },
  idempotency_key_invalid: { status: 400, error: 'invalid_request' },
  provider_immutable: { status: 400, error: 'invalid_request' },
  mode_immutable: { status: 400, error: 'invalid_request' },
  mode_not_allowed: { status: 400, error: 'invalid_request' },
  url_not_allowed: { status: 400, error: 'invalid_request' },
  workflow_loop: { status: 400, error: 'invalid_request' },
  refund_exceeds_remaining: { status: 400, error: 'invalid_request' },
  capture_exceeds_authorized: { status: 400, error: 'invalid_request' },
  amount_not_supported: { status: 400, error: 'invalid_request' },
  webhook_unroutable: { status: 400, error: 'invalid_request' },
  invalid_api_key: { status: 401, error: 'unauthorized' },
  wrong_stage: { status: 401, error: 'unauthorized' },
  invalid_session: { status: 401, error: 'unauthorized' },
  invalid_link: { status: 401, error: 'unauthorized' },
  totp_required: { status: 401, error: 'unauthorized' },
  invalid_code: { status: 401, error: 'unauthorized' },
  invalid_passkey: { status: 401, error: 'unauthorized' },
  fresh_proof_required: { status: 401, error: 'unauthorized' },
  invalid_signature: { status: 401, error: 'unauthorized' },
  plan_limit_reached: { status: 402, error: 'payment_required' },
  feature_not_in_plan: { status: 402, error: 'payment_required' },
  missing_scope: { status: 403, error: 'forbidden' },
  missing_role: { status: 403, error: 'forbidden' },
  second_factor_required: { status: 403, error: 'forbidden' },
  own_organization: { status: 403, error: 'forbidden' },
  bad_origin: { status: 403, error: 'forbidden' },
  org_mismatch: { status: 403, error: 'forbidden' },
  scope_escalation: { status: 403, error: 'forbidden' },
  own_recovery: { status: 403, error: 'forbidden' },
  kyc_required: { status: 403, error: 'forbidden' },
  organization_quarantined: { status: 403, error: 'forbidden' },
  agent_not_allowed: { status: 403, error: 'forbidden' },
  approval_required: { status: 403, error: 'forbidden' },
  approval_rejected: { status: 403, error: 'forbidden' },
  not_found: { status: 404, error: 'not_found' },
  route_not_found: { status: 404, error: 'not_found' },
  method_not_allowed: { status: 405, error: 'invalid_request' },
  idempotency_in_progress: { status: 409, error: 'conflict' },
  setup_limit_reached: { status: 409, error: 'conflict' },
  outcome_unknown: { status: 409, error: 'conflict' },
  payment_not_confirmable: { status: 409, error: 'conflict' },
  payment_not_cancelable: { status: 409, error: 'conflict' },
  payment_not_capturable: { status: 409, error: 'conflict' },
  payment_not_retryable: { status: 409, error: 'conflict' },
  retry_budget_exhausted: { status: 409, error: 'conflict' },
  payment_not_refundable: { status: 409, error: 'conflict' },
  payment_disputed: { status: 409, error: 'conflict' },
  dispute_not_answerable: { status: 409, error: 'conflict' },
  dispute_answer_refused: { status: 400, error: 'invalid_request' },
  dispute_answer_unsupported: { status: 409, error: 'conflict' },
  connection_in_use: { status: 409, error: 'conflict' },
  routing_rule_in_use: { status: 409, error: 'conflict' },
  ab_test_not_startable: { status: 409, error: 'conflict' },
  ab_test_not_pausable: { status: 409, error: 'conflict' },
  ab_test_not_completable: { status: 409, error: 'conflict' },
  ab_test_not_editable: { status: 409, error: 'conflict' },
  ab_test_has_run: { status: 409, error: 'conflict' },
  ab_test_overlap: { status: 409, error: 'conflict' },
  ab_test_limit: { status: 409, error: 'conflict' },
  ab_test_rule_missing: { status: 409, error: 'conflict' },
  passkey_limit: { status: 409, error: 'conflict' },
  payment_method_limit: { status: 409, error: 'conflict' },
  payment_method_in_use: { status: 409, error: 'conflict' },
  customer_being_erased: { status: 409, error: 'conflict' },
  customer_in_use: { status: 409, error: 'conflict' },
  payment_link_not_active: { status: 409, error: 'conflict' },
  subscription_canceled: { status: 409, error: 'conflict' },
  subscription_not_resumable: { status: 409, error: 'conflict' },
  invoice_not_retryable: { status: 409, error: 'conflict' },
  invoice_not_cancelable: { status: 409, error: 'conflict' },
  workflow_integration_in_use: { status: 409, error: 'conflict' },
  workflow_integration_disabled: { status: 409, error: 'conflict' },
  workflow_template_in_use: { status: 409, error: 'conflict' },
  workflow_limit_reached: { status: 409, error: 'conflict' },
  workflow_execution_over: { status: 409, error: 'conflict' },
  webhooks_disabled: { status: 409, error: 'conflict' },
  legal_name_changed: { status: 409, error: 'conflict' },
  legal_name_missing: { status: 409, error: 'conflict' },
  capacity_only_grows: { status: 409, error: 'conflict' },
  last_platform_owner: { status: 409, error: 'conflict' },
  totp_enabled: { status: 409, error: 'conflict' },
  totp_not_set_up: { status: 409, error: 'conflict' },
  totp_not_enabled: { status: 409, error: 'conflict' },
  mail_not_configured: { status: 409, error: 'conflict' },
  recovery_waiting: { status: 409, error: 'conflict' },
  recovery_not_needed: { status: 409, error: 'conflict' },
  recovery_not_open: { status: 409, error: 'conflict' },
  last_owner: { status: 409, error: 'conflict' },
  member_limit_reached: { status: 409, error: 'conflict' },
  approval_not_open: { status: 409, error: 'conflict' },
  approval_limit_reached: { status: 409, error: 'conflict' },
  secret_rotation_limit: { status: 409, error: 'conflict' },
  write_conflict: { status: 409, error: 'conflict' },
  record_full: { status: 409, error: 'conflict' },
  idempotency_key_reused: { status: 422, error: 'unprocessable' },
  rate_limited: { status: 429, error: 'rate_limited' },
  internal_error: { status: 500, error: 'internal_error' },
  provider_error: { status: 502, error: 'provider_error' },
  events_waiting: { status: 503, error: 'unavailable' },
  service_unavailable: { status: 503, error: 'unavailable' },
  storage_full: { status: 503, error: 'unavailable' },
} as const satisfies Record<string, { status: number; error: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

type ErrorExtra = {
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds, at least 1. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
};

/** An error for the client. Its message names the thing and the remedy. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorExtra['details'];
  readonly retryAfter: number | undefined;
  constructor(code: ErrorCode, message: string, extra: ErrorExtra = {}) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.details = extra.details;
    this.retryAfter = extra.retryAfter;
  }
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

type Problem = {
  readonly error: string;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retry_after?: number;
};

/** The only translation of an error into a response. An unexpected error reveals nothing of its cause. */
export function toProblem(error: unknown): { readonly status: number; readonly body: Problem } {
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal_error', 'Something went wrong on our side. Please try again.');
  const { status, error: category } = ERROR_CODES[known.code];
  return {
    status,
    body: {
      error: category,
      code: known.code,
      message: known.message,
      ...(known.details && { details: known.details }),
      ...(known.retryAfter !== undefined && { retry_after: known.retryAfter }),
    },
  };
}

/** The value, or a 404: another organization's record reads like a missing one. */
export function orNotFound<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new AppError('not_found', message);
  return value;
}

/** What is wrong in a request, and where. */
export type FieldError = { readonly path: string; readonly message: string };

/** A response with all errors could be many times as large as the request. */
export const MAX_FIELD_ERRORS = 50;
const MAX_PATH_LENGTH = 200;
const shortPath = (text: string): string =>
  text.length > MAX_PATH_LENGTH ? `${text.slice(0, MAX_PATH_LENGTH).toWellFormed()}…` : text;

/** All errors of a request at once. If there are too many, the first ones and the number of the others. */
export function invalidFields(fieldErrors: readonly FieldError[]): AppError {
  const fields = fieldErrors
    .slice(0, MAX_FIELD_ERRORS)
    .map(({ path, message }) => ({ path: shortPath(path), message }));
  const more = fieldErrors.length - fields.length;
  return new AppError('invalid_request', 'The request is invalid; see details.fields.', {
    details: { fields, ...(more > 0 && { more }) },
  });
}
