import type { ErrorCode } from '#shared/kernel/errors.ts';

/** Of a record with an outbox: it changes too fast, is full, or is full until its events are passed on. */
const CHANGING = ['write_conflict', 'record_full', 'events_waiting'] as const;

/**
 * What a use case refuses beyond what the chain refuses everywhere. A use case with a new refusal adds it to its line: the
 * HTTP suite fails on an answer that the OpenAPI document doesn't name.
 */
export const HANDLER_ERRORS: Readonly<Record<string, readonly ErrorCode[]>> = {
  'POST /v1/api-keys': ['scope_escalation', 'plan_limit_reached'],
  'POST /v1/auth/webauthn/register/begin': ['totp_required', 'invalid_code', 'passkey_limit', 'write_conflict'],
  'POST /v1/auth/webauthn/register/finish': ['invalid_passkey', 'passkey_limit', 'write_conflict'],
  'POST /v1/auth/webauthn/authenticate/finish': ['invalid_passkey', 'write_conflict'],
  'GET /v1/auth/verify': ['invalid_link', 'totp_required', 'invalid_code', 'write_conflict'],
  'POST /v1/auth/2fa/setup': ['totp_enabled', 'write_conflict'],
  'POST /v1/auth/2fa/enable': ['totp_not_set_up', 'totp_enabled', 'invalid_code', 'write_conflict'],
  'POST /v1/auth/2fa/disable': ['totp_not_enabled', 'invalid_code', 'write_conflict'],
  'PATCH /v1/organization': ['write_conflict'],
  'POST /v1/members': ['last_owner', 'member_limit_reached', 'write_conflict'],
  'DELETE /v1/members/{id}': ['last_owner', 'write_conflict'],
  'POST /v1/connections': ['provider_immutable', 'mode_immutable', 'mode_not_allowed', 'plan_limit_reached', 'write_conflict'],
  'POST /v1/connections/test': ['mode_not_allowed'],
  'POST /v1/connections/{id}/validate': ['write_conflict'],
  'PATCH /v1/connections/{id}/labels': ['write_conflict'],
  'PATCH /v1/connections/{id}/status': ['write_conflict'],
  'DELETE /v1/connections/{id}': ['connection_in_use', 'write_conflict'],
  'PATCH /v1/routing-rules/{id}': ['write_conflict'],
  'DELETE /v1/routing-rules/{id}': ['routing_rule_in_use', 'write_conflict'],
  'POST /v1/payments': ['plan_limit_reached', ...CHANGING],
  'POST /v1/payments/intents': ['plan_limit_reached'],
  'GET /v1/payments/{id}': [...CHANGING],
  'POST /v1/payments/{id}/confirm': ['outcome_unknown', 'payment_not_confirmable', ...CHANGING],
  'POST /v1/payments/{id}/confirm-intent': ['outcome_unknown', 'payment_not_confirmable', ...CHANGING],
  'POST /v1/payments/{id}/retry': ['outcome_unknown', 'payment_not_retryable', 'retry_budget_exhausted', ...CHANGING],
  'POST /v1/payments/{id}/cancel': ['outcome_unknown', 'payment_not_cancelable', ...CHANGING, 'provider_error'],
  'POST /v1/payments/{id}/refund': ['outcome_unknown', 'payment_not_refundable', 'refund_exceeds_remaining', 'amount_not_supported', ...CHANGING],
  'GET /pay/return/{payment_id}': ['not_found', ...CHANGING],
  'POST /pay/return/{payment_id}': ['not_found', ...CHANGING],
  'POST /v1/payment-links/{id}/deactivate': ['payment_link_not_active', ...CHANGING],
  'GET /pay/{id}': ['not_found', ...CHANGING],
  'POST /pay/{id}': ['not_found', ...CHANGING],
  'PATCH /v1/subscriptions/{id}': ['subscription_canceled', ...CHANGING],
  'POST /v1/subscriptions/{id}/cancel': ['subscription_canceled', ...CHANGING],
  'POST /v1/subscriptions/{id}/resume': ['subscription_canceled', 'subscription_not_resumable', ...CHANGING],
  'POST /v1/invoices/{id}/retry': ['invoice_not_retryable', 'outcome_unknown', 'plan_limit_reached', 'retry_budget_exhausted', ...CHANGING],
  'POST /v1/invoices/{id}/cancel': ['invoice_not_cancelable', 'outcome_unknown', 'payment_not_cancelable', ...CHANGING, 'provider_error'],
  'POST /v1/policies/fraud': ['write_conflict'],
  'GET /v1/policies/retry': ['not_found'],
  'POST /v1/policies/retry': ['write_conflict'],
  'GET /v1/webhooks/config': ['not_found'],
  'POST /v1/webhooks/config': ['url_not_allowed', 'write_conflict'],
  'POST /v1/webhooks/config/rotate-secret': ['not_found', 'secret_rotation_limit', 'write_conflict'],
  'GET /v1/webhooks/config/audit': ['not_found'],
  'POST /v1/webhooks/events/replay': ['not_found', 'webhooks_disabled'],
  'POST /v1/webhooks/events/{id}/replay': ['webhooks_disabled'],
  'POST /v1/webhooks/test': ['not_found', 'webhooks_disabled'],
  'POST /v1/workflows/integrations': ['url_not_allowed', 'workflow_limit_reached', 'write_conflict'],
  'PATCH /v1/workflows/integrations/{id}': ['url_not_allowed', 'write_conflict'],
  'DELETE /v1/workflows/integrations/{id}': ['workflow_integration_in_use', 'write_conflict'],
  'POST /v1/workflows/templates': ['workflow_loop', 'workflow_limit_reached', 'write_conflict'],
  'PATCH /v1/workflows/templates/{id}': ['workflow_loop', 'write_conflict'],
  'DELETE /v1/workflows/templates/{id}': ['workflow_template_in_use', 'write_conflict'],
  'POST /v1/workflows/rules': ['workflow_loop', 'workflow_limit_reached', 'write_conflict'],
  'PATCH /v1/workflows/rules/{id}': ['workflow_loop', 'workflow_limit_reached', 'write_conflict'],
  'DELETE /v1/workflows/rules/{id}': ['write_conflict'],
  'POST /v1/workflows/executions': ['not_found', 'plan_limit_reached'],
  'POST /v1/workflows/executions/{id}/cancel': ['workflow_execution_over', 'write_conflict'],
  'POST /v1/platform/organizations/{id}/plan': ['write_conflict'],
  'POST /v1/platform/kyc/approve': ['not_found', 'legal_name_changed', 'write_conflict'],
  'POST /v1/platform/kyc/reject': ['not_found', 'write_conflict'],
  'POST /v1/platform/admins': ['last_platform_owner', 'write_conflict'],
  'DELETE /v1/platform/admins/{id}': ['last_platform_owner', 'write_conflict'],
  'POST /webhooks/{provider}': ['invalid_request', 'webhook_unroutable', 'invalid_signature', 'not_found', ...CHANGING, 'provider_error'],
  ...abTestsAt('/v1/routing/ab-tests'),
  ...abTestsAt('/v1/routing-ab-tests'),
};

/** Both spellings of the path are one thing. */
function abTestsAt(tests: string): Readonly<Record<string, readonly ErrorCode[]>> {
  const alone = ['ab_test_overlap', 'ab_test_limit'] as const;
  return {
    [`POST ${tests}`]: ['feature_not_in_plan'],
    [`PATCH ${tests}/{id}`]: ['ab_test_not_editable', 'ab_test_has_run', ...alone, 'write_conflict'],
    [`POST ${tests}/{id}/start`]: ['ab_test_not_startable', 'ab_test_rule_missing', ...alone, 'write_conflict'],
    [`POST ${tests}/{id}/pause`]: ['ab_test_not_pausable', 'write_conflict'],
    [`POST ${tests}/{id}/complete`]: ['ab_test_not_completable', 'write_conflict'],
  };
}
