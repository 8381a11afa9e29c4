import { type AnyRoute, accessOf, isRaw, type Route } from '#shared/http/route.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';

/** Refusals of the chain itself. A middleware with a new refusal adds it here. */
const ALWAYS = ['invalid_request', 'rate_limited'] as const;
const BY_KEY = ['invalid_api_key', 'wrong_stage', 'kyc_required'] as const;
const BY_SESSION = ['invalid_session'] as const;
const IN_AN_ORGANIZATION = ['org_id_required', 'org_mismatch'] as const;
const REFUSED: Readonly<Record<ReturnType<typeof accessOf>, readonly ErrorCode[]>> = {
  scope: [...BY_KEY, ...BY_SESSION, ...IN_AN_ORGANIZATION, 'missing_scope'],
  public: [...BY_KEY, ...BY_SESSION, ...IN_AN_ORGANIZATION],
  member: [...BY_KEY, ...BY_SESSION, ...IN_AN_ORGANIZATION, 'missing_role'],
  signed_in: BY_SESSION,
  platform: [...BY_SESSION, 'missing_role'],
  anyone: [],
};
/** A GET takes no body, but one that is sent is held to the same rules. */
const WITH_A_BODY = ['malformed_json', 'unsupported_content_type', 'raw_card_data'] as const;
const WITH_A_KEY = ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] as const;

export function chainErrors(route: AnyRoute): readonly ErrorCode[] {
  const anyRoute: readonly ErrorCode[] = ['internal_error', 'body_too_large'];
  if (!isRaw(route)) return [...anyRoute, ...apiErrors(route)];
  return route.page ? [...anyRoute, 'rate_limited'] : anyRoute;
}

function apiErrors(route: Route): readonly ErrorCode[] {
  const { method, idempotency, params } = route;
  return [
    ...ALWAYS,
    ...REFUSED[accessOf(route)],
    ...WITH_A_BODY,
    ...(method === 'GET' && accessOf(route) !== 'anyone' ? [] : (['bad_origin'] as const)),
    ...(idempotency === 'none' ? [] : WITH_A_KEY),
    ...(idempotency === 'required' || idempotency === 'fused' ? (['idempotency_key_required'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
  ];
}
