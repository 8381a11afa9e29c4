import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { RATE_CLASSES } from '#shared/domain/accounts/rate-limits.rules.ts';
import { PROOF_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
import { type HeaderName, headerRefs, PUBLIC, parameterRef, SESSION } from '#shared/http/openapi/components.ts';
import type { RawRoute, Route } from '#shared/http/route.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';

/** Parts of an operation that the document derives from all routes together. */
type SharedParts = {
  readonly operationId: string;
  readonly tags: string[];
  readonly errors: ZodOpenApiResponsesObject;
  /** The codes of the operation itself, beside those of its credentials and its parameters. */
  readonly codes: readonly ErrorCode[];
};

/** An OpenAPI operation, from its route line. */
export function apiOperation(route: Route, { errors, codes, ...common }: SharedParts): ZodOpenApiOperationObject {
  const { summary, params, query, body, bodyOptional, status } = route;
  const description = descriptionOf(route);
  return {
    ...common,
    summary,
    ...(description !== '' && { description }),
    ...(route.deprecated && { deprecated: true }),
    ...(route.agents && { 'x-agents': route.agents }),
    ...(codes.length > 0 && { 'x-error-codes': codes }),
    security: [...securityOf(route)],
    requestParams: { ...(params && { path: objectIn(params) }), ...(query && { query: objectIn(query) }) },
    parameters: headerParameters(route),
    ...(body && { requestBody: { required: !bodyOptional, content: { 'application/json': { schema: body } } } }),
    responses: { [status]: successOf(route), ...errors },
  };
}

const BY_SESSION = { [SESSION]: [] };

function securityOf(route: Route): readonly oas31.SecurityRequirementObject[] {
  switch (route.access) {
    case 'anyone':
      return [];
    case 'public':
      return [{ [PUBLIC]: [] }, { Bearer: [] }, { ServiceKey: [] }, BY_SESSION];
    case 'signed_in':
    case 'platform':
      return [BY_SESSION];
    case 'member':
      return route.keys ? [{ Bearer: [] }, { ServiceKey: [] }, BY_SESSION] : [BY_SESSION];
    case 'scope':
      return [{ Bearer: [route.scope] }, { ServiceKey: [] }, BY_SESSION];
  }
}

/** Reads and other changes count as such, which the document says once. */
const PAYMENT_RATE = `Counts among the ${RATE_CLASSES.payments.limit} payment creations a minute.`;
const SECRET_RESPONSE = 'The response holds a secret: it is replayed only to the credential that made the request.';

function descriptionOf(route: Route): string {
  const { rate, secretResponse, proof } = route;
  return [
    ...accessTexts(route),
    ...(rate === 'payments' ? [PAYMENT_RATE] : []),
    ...(secretResponse ? [SECRET_RESPONSE] : []),
    ...(proof ? [FRESH_PROOF] : []),
  ].join(' ');
}

const FRESH_PROOF =
  `With a session it needs a proof of identity that is less than ${PROOF_LIFETIME / MINUTE} minutes old: a sign-in, ` +
  'or `POST /v1/auth/prove`.';

const FROM_ANY_PAGE = 'Any web page may call it and read the response.';

/** A scope stands in `security`. */
function accessTexts(route: Route): readonly string[] {
  switch (route.access) {
    case 'scope':
      return [];
    case 'public':
      return ['Takes every key of the organization, also a public one, and requires no scope.', FROM_ANY_PAGE];
    case 'anyone':
      return ['Requires no credential.'];
    case 'signed_in':
      return ['For any signed-in user.'];
    case 'member': {
      const keys = route.keys ? ', and for every key of the organization except public ones' : '';
      return [`For members of the organization with the role \`${route.role}\` or higher${keys}.`];
    }
    case 'platform': {
      const owner = route.role === 'platform_admin' ? ' or `platform_owner`' : '';
      return [`Requires the platform role \`${route.role}\`${owner}.`];
    }
  }
}

function headerParameters(route: Route) {
  const { access, idempotency } = route;
  const key = idempotency === 'optional' ? 'OptionalIdempotencyKey' : 'IdempotencyKey';
  const isOfKeys = access === 'scope' || access === 'public' || (access === 'member' && route.keys);
  return [
    ...(idempotency === 'none' ? [] : [parameterRef(key)]),
    ...(isOfKeys ? [parameterRef('OrgId')] : []),
    ...(access === 'member' && !route.keys ? [parameterRef('OrgIdOfSession')] : []),
    ...(access === 'scope' ? [parameterRef('ActorId')] : []),
  ];
}

function successOf({ reply, status, list, location }: Route): ZodOpenApiResponseObject {
  const more: HeaderName[] = [...(location ? (['Location'] as const) : []), ...(list ? (['Link'] as const) : [])];
  return {
    description: STATUS_CODES[status] ?? '',
    ...(more.length > 0 && { headers: headerRefs(more) }),
    content: { 'application/json': { schema: reply } },
  };
}

/** OpenAPI lists parameters one by one, so their schema must be an object's. */
function objectIn(shape: z.ZodType): z.ZodObject {
  if (shape instanceof z.ZodPipe) return objectIn(shape.in as z.ZodType);
  if (shape instanceof z.ZodObject) return shape;
  throw new Error('The shape of parameters is not an object.');
}

/** Pages are for browsers, callbacks for providers: neither takes a credential of this API. */
export function rawOperation(
  { summary, path, method, responses }: RawRoute,
  { errors, codes, ...common }: SharedParts,
): ZodOpenApiOperationObject {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const successes = Object.entries(responses).map(([status, { headers = [], ...response }]) => [
    status,
    { ...response, ...(headers.length > 0 && { headers: headerRefs(headers) }) },
  ]);
  return {
    ...common,
    summary,
    ...(codes.length > 0 && { 'x-error-codes': codes }),
    security: [],
    parameters: names.map((name) => ({
      in: 'path' as const,
      name,
      required: true,
      schema: { type: 'string' as const },
    })),
    ...(method === 'GET'
      ? {}
      : { requestBody: { description: 'The body as the sender sends it.', content: { '*/*': {} } } }),
    responses: { ...errors, ...Object.fromEntries(successes) },
  };
}
