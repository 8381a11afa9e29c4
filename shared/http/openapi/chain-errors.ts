import { type AnyRoute, isPublic, isRaw, type Route } from '#shared/http/route.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';

/** What the chain itself may refuse a request with. A middleware that learns a new refusal names it here. */
const ALWAYS = ['invalid_request', 'org_id_required', 'invalid_api_key', 'wrong_stage', 'org_mismatch', 'rate_limited'] as const;
const WITH_A_BODY = ['malformed_json', 'unsupported_content_type', 'raw_card_data'] as const;
const WITH_A_KEY = ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] as const;

export function chainErrors(route: AnyRoute): readonly ErrorCode[] {
  const anyRoute: readonly ErrorCode[] = route.method === 'GET' ? ['internal_error'] : ['internal_error', 'body_too_large'];
  if (!isRaw(route)) return [...anyRoute, ...apiErrors(route)];
  return route.page ? [...anyRoute, 'rate_limited'] : anyRoute;
}

function apiErrors(route: Route): readonly ErrorCode[] {
  const { method, idempotency, params } = route;
  return [
    ...ALWAYS,
    ...(isPublic(route) ? [] : (['missing_scope'] as const)),
    ...(method === 'GET' ? [] : WITH_A_BODY),
    ...(idempotency === 'none' ? [] : WITH_A_KEY),
    ...(idempotency === 'required' || idempotency === 'fused' ? (['idempotency_key_required'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
  ];
}
