import recorded from '#functions/openapi/examples.json' with { type: 'json' };
import { type Json, mapValues } from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

type Example = { readonly status: number; readonly request?: unknown; readonly response: unknown };

const OPERATIONS: Readonly<Record<string, Example>> = recorded.operations;
const ERRORS: Readonly<Record<string, unknown>> = recorded.errors;

/** Adds to each operation a request and its response, and to the error response one for each code. */
export function withExamples(document: OpenApiDocument): OpenApiDocument {
  const { paths, components } = document;
  const responses = mapValues((components?.responses ?? {}) as Json, (response, name) =>
    name === 'Error' ? withMedia(response as Json, (media) => ({ ...media, examples: errorExamples() })) : response,
  );
  const operations = mapValues(paths as Json, (item, path) =>
    mapValues(item as Json, (operation, method) => {
      const example = OPERATIONS[`${method.toUpperCase()} ${path}`];
      return example === undefined ? operation : withExample(operation as Json, example);
    }),
  );
  return {
    ...document,
    paths: operations as OpenApiDocument['paths'],
    components: { ...components, responses: responses as NonNullable<OpenApiDocument['components']>['responses'] },
  };
}

const errorExamples = (): Json => mapValues(ERRORS, (value) => ({ value }));

function withExample(operation: Json, { status, request, response }: Example): Json {
  const { requestBody, responses } = operation;
  return {
    ...operation,
    ...(requestBody !== undefined &&
      request !== undefined && { requestBody: withMedia(requestBody as Json, withValue(request)) }),
    responses: mapValues(responses as Json, (each, key) =>
      key === String(status) ? withMedia(each as Json, withValue(response)) : each,
    ),
  };
}

const withValue =
  (example: unknown) =>
  (media: Json): Json => ({ ...media, example });

/** Of a body in JSON; pages have no examples. */
function withMedia(body: Json, change: (media: Json) => Json): Json {
  const { content } = body as { readonly content?: Json };
  const media = content?.['application/json'];
  if (content === undefined || media === undefined) return body;
  return { ...body, content: { ...content, 'application/json': change(media as Json) } };
}
