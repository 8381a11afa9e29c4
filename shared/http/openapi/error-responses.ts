import { STATUS_CODES } from 'node:http';
import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { COMMON_HEADERS, type HeaderName, headerRefs } from '#shared/http/openapi/components.ts';
import { type AnyRoute, isRaw, type Route } from '#shared/http/route.ts';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

/** Errors of the middleware. One with a new error adds it here; those of a use case stand on its route line. */
const ALWAYS = ['invalid_request', 'rate_limited'] as const;
const BY_KEY = ['invalid_api_key', 'wrong_stage', 'kyc_required', 'organization_quarantined'] as const;
const BY_SESSION = ['invalid_session'] as const;
const IN_AN_ORGANIZATION = ['org_id_required', 'org_mismatch'] as const;
const BY_ACCESS: Readonly<Record<Route['access'], readonly ErrorCode[]>> = {
  scope: [...BY_KEY, ...BY_SESSION, ...IN_AN_ORGANIZATION, 'missing_scope'],
  public: [...BY_KEY, ...BY_SESSION, ...IN_AN_ORGANIZATION],
  member: [...BY_KEY, ...BY_SESSION, ...IN_AN_ORGANIZATION, 'missing_role'],
  signed_in: BY_SESSION,
  platform: [...BY_SESSION, 'missing_role', 'second_factor_required'],
  anyone: [],
};
/** A GET needs no body. If one is sent, the same rules apply to it. */
const WITH_A_BODY = ['malformed_json', 'unsupported_content_type', 'raw_card_data'] as const;
const WITH_A_KEY = ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] as const;

function errorCodes(route: AnyRoute): readonly ErrorCode[] {
  const { errors = [] } = route;
  const anyRoute = ['internal_error', 'body_too_large', ...errors] as const;
  if (!isRaw(route)) return [...anyRoute, ...middlewareErrors(route)];
  return route.page || route.rate ? [...anyRoute, 'rate_limited'] : anyRoute;
}

function middlewareErrors(route: Route): readonly ErrorCode[] {
  const { method, idempotency, params, proof } = route;
  return [
    ...ALWAYS,
    ...BY_ACCESS[route.access],
    ...(proof ? (['fresh_proof_required'] as const) : []),
    ...WITH_A_BODY,
    ...(method === 'GET' && route.access !== 'anyone' ? [] : (['bad_origin'] as const)),
    ...(idempotency === 'none' ? [] : WITH_A_KEY),
    ...(idempotency === 'required' || idempotency === 'in_record' ? (['idempotency_key_required'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
  ];
}

/** The errors of one status that a route may respond with. */
type ErrorResponse = {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  readonly replayable: boolean;
  readonly page: boolean;
};

/** Statuses of errors that are stored, and replayed to a repeat with the same key. */
const STORED: ReadonlySet<number> = new Set([400, 404, 409]);

/** Errors with a Retry-After. */
const WITH_RETRY_AFTER: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'idempotency_in_progress',
  'outcome_unknown',
  'events_waiting',
  'service_unavailable',
]);

/**
 * The error responses of each route. Most routes have the same ones: the most common response of a status is written
 * once, under `components`, and referenced.
 */
export function errorResponses(routes: readonly AnyRoute[]) {
  const byRoute = new Map(routes.map((route) => [route, responsesOf(route)]));
  const common = mostCommonByStatus([...byRoute.values()].flat());
  const toObject = (response: ErrorResponse) =>
    common.get(response.status)?.key === keyOf(response)
      ? { $ref: `#/components/responses/${nameOf(response)}` }
      : responseObject(response);
  return {
    of: (route: AnyRoute): ZodOpenApiResponsesObject =>
      Object.fromEntries((byRoute.get(route) ?? []).map((each) => [String(each.status), toObject(each)])),
    common: Object.fromEntries(
      [...common.values()].map(({ response }) => [nameOf(response), responseObject(response)]),
    ),
  };
}

function responsesOf(route: AnyRoute): readonly ErrorResponse[] {
  const codes = errorCodes(route);
  const inOrder = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => codes.includes(code));
  const byStatus = Map.groupBy(inOrder, (code) => ERROR_CODES[code].status);
  const page = isRaw(route) && route.page !== undefined;
  const claims = !isRaw(route) && (route.idempotency === 'required' || route.idempotency === 'optional');
  return [...byStatus]
    .map(([status, own]) => ({ status, codes: own, replayable: claims && STORED.has(status), page }))
    .sort((a, b) => a.status - b.status);
}

const nameOf = ({ status }: ErrorResponse): string => `Error${status}`;
const keyOf = (response: ErrorResponse): string => JSON.stringify(response);

function mostCommonByStatus(
  responses: readonly ErrorResponse[],
): ReadonlyMap<number, { readonly key: string; readonly response: ErrorResponse }> {
  const best = new Map<number, { key: string; response: ErrorResponse; count: number }>();
  for (const [key, same] of Map.groupBy(responses, keyOf)) {
    const [response] = same;
    if (response && same.length > Math.max(1, best.get(response.status)?.count ?? 0))
      best.set(response.status, { key, response, count: same.length });
  }
  return new Map([...best].sort(([a], [b]) => a - b));
}

function responseObject({ status, codes, replayable, page }: ErrorResponse): ZodOpenApiResponseObject {
  const more: HeaderName[] = [
    ...(codes.some((code) => WITH_RETRY_AFTER.has(code)) ? (['Retry-After'] as const) : []),
    ...(replayable ? (['Idempotency-Replayed'] as const) : []),
  ];
  const headers = headerRefs([...COMMON_HEADERS, ...more]);
  if (page) {
    const content = { 'text/html': { schema: { type: 'string' } } } as const;
    return { description: `${STATUS_CODES[status]}, as a page.`, headers, content };
  }
  const code: oas31.SchemaObject = { type: 'object', properties: { code: { enum: [...codes] } } };
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((each) => `\`${each}\``).join(', ')}.`,
    headers,
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, code] } } },
  };
}
