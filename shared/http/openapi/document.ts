import type * as z from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import { HEADERS, PARAMETERS, SECURITY_SCHEMES } from '#shared/http/openapi/components.ts';
import { errorResponses } from '#shared/http/openapi/error-responses.ts';
import { apiOperation, rawOperation } from '#shared/http/openapi/operation.ts';
import { addFormats, tidySchema } from '#shared/http/openapi/tidy-schema.ts';
import { WEBHOOKS } from '#shared/http/openapi/webhooks.ts';
import { type AnyRoute, isRaw } from '#shared/http/route.ts';
import { ProblemReply } from '#shared/http/schema/problem.schema.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

/** Texts and schemas that are not on a route line. */
type ApiNotes = {
  readonly info: oas31.InfoObject;
  /** A sentence about a group of routes. */
  readonly groups: Readonly<Record<string, string | undefined>>;
  /** Schemas that no route uses, by component name. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
};

/** The OpenAPI document of these routes; the same routes always give the same text. */
export function openApiDocument(
  groups: Readonly<Record<string, readonly AnyRoute[]>>,
  { info, groups: notes, schemas }: ApiNotes,
): OpenApiDocument {
  const routes = Object.values(groups).flat();
  const errors = errorResponses(routes);
  const tags = Object.keys(groups).map((name) => ({ name, ...(notes[name] && { description: notes[name] }) }));
  const document = createDocument(
    {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/', description: 'Where this document was read.' }],
      tags,
      paths: pathsOf(groups, operationIds(routes), errors.of),
      webhooks: WEBHOOKS,
      components: {
        schemas: { Problem: ProblemReply, ...schemas },
        responses: errors.common,
        headers: HEADERS,
        parameters: PARAMETERS,
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: tidySchema },
  );
  return sorted(addFormats(document) as OpenApiDocument);
}

function pathsOf(
  groups: Readonly<Record<string, readonly AnyRoute[]>>,
  idOf: (route: AnyRoute) => string,
  errorsOf: ReturnType<typeof errorResponses>['of'],
) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [group, routes] of Object.entries(groups)) {
    for (const route of routes) {
      const common = { operationId: idOf(route), tags: [group], errors: errorsOf(route) };
      const operation = isRaw(route) ? rawOperation(route, common) : apiOperation(route, common);
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    }
  }
  return paths;
}

/**
 * The use case's name if it serves one route, or for the first of several spellings; otherwise a name made from the
 * route.
 */
function operationIds(routes: readonly AnyRoute[]): (route: AnyRoute) => string {
  const nameOf = (route: AnyRoute) => route.operationId ?? (isRaw(route) ? route.raw : route.run).name;
  const byName = Map.groupBy(routes, nameOf);
  return (route) => {
    const [first, ...others] = byName.get(nameOf(route)) ?? [];
    const isUnique = first === route && others.every(({ method }) => method === route.method);
    return isUnique ? nameOf(route) : `${route.method.toLowerCase()}${camelCase(route.path)}`;
  };
}

const camelCase = (path: string): string =>
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
