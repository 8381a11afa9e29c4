import type * as z from 'zod';
import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import { HEADERS, PARAMETERS, SECURITY_SCHEMES } from '#shared/http/openapi/components.ts';
import { ERROR_RESPONSES, errorResponses, ownErrorCodes } from '#shared/http/openapi/error-responses.ts';
import { apiOperation, rawOperation } from '#shared/http/openapi/operation.ts';
import { operationIds } from '#shared/http/openapi/operation-ids.ts';
import { addFormats, tidySchema } from '#shared/http/openapi/tidy-schema.ts';
import { DELIVERY_PARAMETERS, DELIVERY_RESPONSES, WEBHOOKS } from '#shared/http/openapi/webhooks.ts';
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

/** Everybody may start one: `npm start`. */
export const LOCAL_SERVER = {
  url: 'http://127.0.0.1:4000',
  description: 'The local host: a sandbox on your own computer.',
} as const;

/** The OpenAPI document of these routes; the same routes always give the same text. */
export function openApiDocument(
  groups: Readonly<Record<string, readonly AnyRoute[]>>,
  { info, groups: notes, schemas }: ApiNotes,
): OpenApiDocument {
  const routes = Object.values(groups).flat();
  const tags = Object.keys(groups).map((name) => ({ name, ...(notes[name] && { description: notes[name] }) }));
  const document = createDocument(
    {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/', description: 'Where this document was read.' }, LOCAL_SERVER],
      externalDocs: { url: `${LOCAL_SERVER.url}/docs`, description: 'The reference, with guides.' },
      tags,
      paths: pathsOf(groups, operationIds(routes)),
      webhooks: WEBHOOKS,
      components: {
        schemas: { Problem: ProblemReply, ...schemas },
        responses: { ...ERROR_RESPONSES, ...DELIVERY_RESPONSES },
        headers: HEADERS,
        parameters: { ...PARAMETERS, ...DELIVERY_PARAMETERS },
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override: tidySchema },
  );
  return sorted(addFormats(document) as OpenApiDocument);
}

function pathsOf(groups: Readonly<Record<string, readonly AnyRoute[]>>, idOf: (route: AnyRoute) => string) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [group, routes] of Object.entries(groups)) {
    for (const route of routes) {
      const common = {
        operationId: idOf(route),
        tags: [group],
        errors: errorResponses(route),
        codes: ownErrorCodes(route),
      };
      const operation = isRaw(route) ? rawOperation(route, common) : apiOperation(route, common);
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    }
  }
  return paths;
}

/** Paths stay in the table's order; components are looked up by name. */
function sorted(document: OpenApiDocument): OpenApiDocument {
  const byName = (kind: unknown) =>
    Object.fromEntries(Object.entries(kind as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...document,
    components: Object.fromEntries(Object.entries(document.components ?? {}).map(([kind, all]) => [kind, byName(all)])),
  };
}
