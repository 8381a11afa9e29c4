import type * as z from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import { chainErrors } from '#shared/http/openapi/chain-errors.ts';
import { HEADERS, PARAMETERS, SECURITY_SCHEMES } from '#shared/http/openapi/components.ts';
import { errorAnswers } from '#shared/http/openapi/error-answers.ts';
import { apiOperation, type RawAnswers, rawOperation } from '#shared/http/openapi/operation.ts';
import { OUTBOUND_EVENTS } from '#shared/http/openapi/outbound-events.ts';
import { named, tidySchema } from '#shared/http/openapi/tidy-schema.ts';
import { type AnyRoute, isRaw, routeKey } from '#shared/http/route.ts';
import { ProblemReply } from '#shared/http/schema/problem.schema.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

/** Texts and errors that the routes' own lines do not have. */
type ApiNotes = {
  readonly info: oas31.InfoObject;
  /** A sentence about a group of routes. */
  readonly groups: Readonly<Record<string, string | undefined>>;
  /** A handler's refusals beyond the chain's. */
  readonly handlerErrors: (routeKey: string) => readonly ErrorCode[];
  readonly rawAnswers: (routeKey: string) => RawAnswers;
  /** Shapes that no route names, by their component's name. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
};

/** The OpenAPI document of these routes; the same routes always give the same text. */
export function openApiDocument(
  groups: Readonly<Record<string, readonly AnyRoute[]>>,
  notes: ApiNotes,
): OpenApiDocument {
  const routes = Object.values(groups).flat();
  const idOf = operationIds(routes);
  const errors = errorAnswers(routes, (route) => [...chainErrors(route), ...notes.handlerErrors(routeKey(route))]);
  const operation = (route: AnyRoute, group: string): ZodOpenApiOperationObject => {
    const place = { operationId: idOf(route), tags: [group], errors: errors.of(route), located: isRead(routes, route) };
    return isRaw(route) ? rawOperation(route, notes.rawAnswers(routeKey(route)), place) : apiOperation(route, place);
  };
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [group, own] of Object.entries(groups)) {
    for (const route of own)
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, group) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: notes.info,
      servers: [{ url: '/', description: 'Where this document was read.' }],
      tags: Object.keys(groups).map((name) => ({
        name,
        ...(notes.groups[name] && { description: notes.groups[name] }),
      })),
      paths,
      webhooks: OUTBOUND_EVENTS,
      components: {
        schemas: { Problem: ProblemReply, ...notes.schemas },
        responses: errors.common,
        headers: HEADERS,
        parameters: PARAMETERS,
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: tidySchema },
  );
  return sorted(named(document) as OpenApiDocument);
}

/**
 * The use case's name if it serves one route, or for the first of several spellings; otherwise a name made from the
 * route.
 */
function operationIds(routes: readonly AnyRoute[]): (route: AnyRoute) => string {
  const nameOf = (route: AnyRoute) => (isRaw(route) ? route.raw : route.run).name;
  const uses = Map.groupBy(routes, nameOf);
  return (route) => {
    const [first, ...others] = uses.get(nameOf(route)) ?? [];
    const named = first === route && others.every(({ method }) => method === route.method);
    return named ? nameOf(route) : `${route.method.toLowerCase()}${inWords(route.path)}`;
  };
}

/** By its id, where it is made or one step up: `/v1/payments/intents` makes a payment. */
function isRead(routes: readonly AnyRoute[], { path }: AnyRoute): boolean {
  const readAt = [path, path.slice(0, path.lastIndexOf('/'))].map((parent) => `${parent}/{id}`);
  return routes.some((route) => route.method === 'GET' && readAt.includes(route.path));
}

const inWords = (path: string): string =>
  (path.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/** Paths stay in the table's order; components are looked up by name. */
function sorted(document: OpenApiDocument): OpenApiDocument {
  const byName = (kind: unknown) =>
    Object.fromEntries(Object.entries(kind as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...document,
    components: Object.fromEntries(Object.entries(document.components ?? {}).map(([kind, all]) => [kind, byName(all)])),
  };
}
