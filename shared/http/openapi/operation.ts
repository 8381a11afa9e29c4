import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { RATE_CLASSES } from '#shared/domain/accounts/rate-limits.rules.ts';
import {
  type HeaderName,
  headerRefs,
  PUBLIC,
  parameterRef,
  SESSION,
  STAMPED,
} from '#shared/http/openapi/components.ts';
import { accessOf, type RawRoute, type Route } from '#shared/http/route.ts';

/** Documentation of a route beyond its own line. */
type Place = {
  readonly operationId: string;
  readonly tags: string[];
  readonly errors: ZodOpenApiResponsesObject;
  /** Whether what it makes can be read by an address of its own. */
  readonly located: boolean;
};

/** An OpenAPI operation, from its route line. */
export function apiOperation(route: Route, { errors, located, ...place }: Place): ZodOpenApiOperationObject {
  const { summary, params, query, body, bodyOptional, status } = route;
  return {
    ...place,
    summary,
    description: descriptionOf(route),
    security: [...securityOf(route)],
    requestParams: { ...(params && { path: objectIn(params) }), ...(query && { query: objectIn(query) }) },
    parameters: headerParameters(route),
    ...(body && { requestBody: { required: !bodyOptional, content: { 'application/json': { schema: body } } } }),
    responses: { [status]: successOf(route, located), ...errors },
  };
}

const BY_SESSION = { [SESSION]: [], OrgId: [] };

function securityOf(route: Route): readonly oas31.SecurityRequirementObject[] {
  switch (accessOf(route)) {
    case 'anyone':
      return [];
    case 'public':
      return [{ [PUBLIC]: [] }, { ServiceKey: [], OrgId: [] }, { Bearer: [] }, BY_SESSION];
    case 'signed_in':
    case 'platform':
      return [{ [SESSION]: [] }];
    case 'member':
      return 'keys' in route && route.keys ? [{ ServiceKey: [], OrgId: [] }, { Bearer: [] }, BY_SESSION] : [BY_SESSION];
    case 'scope': {
      const scopes = 'scope' in route ? [route.scope] : [];
      return [{ ServiceKey: scopes, OrgId: [] }, { Bearer: scopes }, BY_SESSION];
    }
  }
}

function descriptionOf(route: Route): string {
  const { rate, secretAnswer } = route;
  const among = `among the ${RATE_CLASSES[rate].limit} ${WORDS[rate]} a minute`;
  const limit = `${accessInWords(route)} Counts ${among}${accessOf(route) === 'public' ? ': with a public key those from one address' : ''}.`;
  return secretAnswer ? `${limit} The answer holds a secret: it is replayed to the same credential only.` : limit;
}

function accessInWords(route: Route): string {
  if ('scope' in route) return `Needs the scope \`${route.scope}\`.`;
  switch (route.access) {
    case 'public':
      return 'Takes every key of the organization, a public one above all, and needs no scope. Any web page may call it, and read the answer.';
    case 'anyone':
      return 'Needs no credential.';
    case 'signed_in':
      return 'For whoever is signed in.';
    case 'member':
      return `For members of the organization with the role \`${route.role}\` or a stronger one${route.keys ? ', and for every key of it but a public one' : ''}.`;
    case 'platform':
      return `Needs the role \`${route.role}\` on the platform${route.role === 'platform_admin' ? ', or `platform_owner`' : ''}.`;
  }
}

const WORDS = { payments: 'payment creations', writes: 'other writes', reads: 'reads' } as const;

function headerParameters(route: Route) {
  const actor = accessOf(route) === 'scope' ? [parameterRef('ActorId')] : [];
  if (route.idempotency === 'none') return actor;
  return [parameterRef(route.idempotency === 'optional' ? 'OptionalIdempotencyKey' : 'IdempotencyKey'), ...actor];
}

function successOf({ reply, status, query, idempotency }: Route, located: boolean): ZodOpenApiResponseObject {
  const more: HeaderName[] = [
    ...(status === 201 && located ? (['Location'] as const) : []),
    ...(query && 'cursor' in objectIn(query).shape ? (['Link'] as const) : []),
    ...(idempotency === 'none' ? [] : (['Idempotency-Replayed'] as const)),
  ];
  return {
    description: STATUS_CODES[status] ?? '',
    headers: headerRefs([...STAMPED, ...more]),
    content: { 'application/json': { schema: reply } },
  };
}

/** OpenAPI lists parameters one by one, so their schema must be an object's. */
function objectIn(shape: z.ZodType): z.ZodObject {
  if (shape instanceof z.ZodPipe) return objectIn(shape.in as z.ZodType);
  if (shape instanceof z.ZodObject) return shape;
  throw new Error('The shape of parameters is not an object.');
}

/** A page's or callback's successful answers, by status. */
export type RawAnswers = Readonly<
  Record<
    string,
    Pick<ZodOpenApiResponseObject, 'description' | 'content'> & { readonly headers?: readonly HeaderName[] }
  >
>;

/** Pages are for browsers, callbacks for providers: neither takes our credentials. */
export function rawOperation(
  { summary, path, method }: RawRoute,
  answers: RawAnswers,
  { errors, located: _, ...place }: Place,
): ZodOpenApiOperationObject {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const responses = Object.entries(answers).map(([status, { headers = [], ...answer }]) => [
    status,
    { ...answer, headers: headerRefs([...STAMPED, ...headers]) },
  ]);
  return {
    ...place,
    summary,
    security: [],
    parameters: names.map((name) => ({
      in: 'path' as const,
      name,
      required: true,
      schema: { type: 'string' as const },
    })),
    ...(method === 'GET'
      ? {}
      : { requestBody: { description: 'Whatever the sender sends, as its bytes.', content: { '*/*': {} } } }),
    responses: { ...errors, ...Object.fromEntries(responses) },
  };
}
