import type { oas31, ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERROR_HEADERS, headerRefs } from '#shared/http/openapi/components.ts';
import { type AnyRoute, isRaw, type Route } from '#shared/http/route.ts';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

/**
 * The codes that an operation may respond with stand where they come from: those of every request here, those of a
 * credential at its security scheme, those of a header at its parameter (`components.ts`), and those of the operation
 * itself at the operation. `documentedErrors` puts them together again.
 */
const OF_EVERY_REQUEST = [
  'invalid_request',
  // A GET needs no body. If one is sent, the same rules apply to it.
  'malformed_json',
  'unsupported_content_type',
  'unsupported_content_encoding',
  'malformed_gzip',
  'raw_card_data',
  'body_too_large',
  'rate_limited',
  'internal_error',
] as const satisfies readonly ErrorCode[];

/** The codes that the middleware adds for a route; those of its use case stand on its line. */
function ownMiddlewareErrors({ access, params, proof, agents }: Route): readonly ErrorCode[] {
  return [
    ...(access === 'anyone' ? (['bad_origin'] as const) : []),
    ...(access === 'member' || access === 'platform' ? (['missing_role'] as const) : []),
    ...(access === 'platform' ? (['second_factor_required'] as const) : []),
    ...(proof ? (['fresh_proof_required'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
    ...(agents === 'ask' ? (['approval_required', 'approval_rejected', 'approval_limit_reached'] as const) : []),
  ];
}

/** In the order of the catalog, without what every operation has. */
export function ownErrorCodes(route: AnyRoute): readonly ErrorCode[] {
  const own = new Set<ErrorCode>([...(route.errors ?? []), ...(isRaw(route) ? [] : ownMiddlewareErrors(route))]);
  for (const code of OF_EVERY_REQUEST) own.delete(code);
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => own.has(code));
}

const problem = { schema: { $ref: '#/components/schemas/Problem' } } as const;

/** Every error has one of these, so an operation only refers to them. */
export const ERROR_RESPONSES = {
  Error: {
    description: 'An error. `code` says which one: the operation, its parameters and its credentials list theirs.',
    headers: headerRefs(ERROR_HEADERS),
    content: { 'application/json': problem },
    'x-error-codes': [...OF_EVERY_REQUEST],
  },
  ErrorPage: {
    description: 'An error, as a page.',
    headers: headerRefs(ERROR_HEADERS),
    content: { 'text/html': { schema: { type: 'string' } } },
  },
} as const satisfies Readonly<Record<string, oas31.ResponseObject>>;

export function errorResponses(route: AnyRoute): ZodOpenApiResponsesObject {
  const $ref = `#/components/responses/${isRaw(route) && route.page ? 'ErrorPage' : 'Error'}`;
  return { '4XX': { $ref }, '5XX': { $ref } };
}
