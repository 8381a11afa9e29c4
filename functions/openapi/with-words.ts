import { idWords } from '#functions/openapi/id-words.ts';
import { isObject, type Json, mapValues } from '#functions/openapi/structure/json.ts';
import type { Say, WordBook } from '#functions/openapi/word-book.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

type Components = NonNullable<OpenApiDocument['components']>['schemas'];

/** What is the same for all places of a component or an operation. */
type Writer = {
  readonly say: Say;
  /** The words of the component that a schema refers to: they need not stand twice. */
  readonly wordsOfTarget: (schema: Json) => unknown;
};

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);
const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Adds the words for what the shapes do not say: functions load the shapes, and words would only make them larger. */
export function withWords(document: OpenApiDocument, book: WordBook): OpenApiDocument {
  const { components, paths, webhooks } = document;
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Json>>;
  const wordsOfTarget = ({ $ref }: Json) =>
    typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? '']?.description : undefined;
  const writerOf = (name: string): Writer => ({ say: book.of(name), wordsOfTarget });
  return {
    ...document,
    paths: withOperations(paths as Json, writerOf) as OpenApiDocument['paths'],
    webhooks: withOperations((webhooks ?? {}) as Json, writerOf) as OpenApiDocument['webhooks'],
    components: {
      ...components,
      schemas: mapValues(schemas, (schema, name) => described(schema as Json, 'this', writerOf(name))) as Components,
    },
  };
}

const withOperations = (paths: Json, writerOf: (name: string) => Writer): Json =>
  mapValues(paths, (item, path) =>
    mapValues(item as Json, (operation, method) =>
      METHODS.has(method) ? withOperation(operation as Json, writerOf(`${method.toUpperCase()} ${path}`)) : operation,
    ),
  );

function withOperation(operation: Json, writer: Writer): Json {
  const { parameters = [], requestBody, responses } = operation;
  return {
    ...operation,
    parameters: (parameters as readonly Json[]).map((each) => withParameterWords(each, writer)),
    ...(requestBody !== undefined && { requestBody: withContent(requestBody as Json, 'request', writer) }),
    responses: mapValues(responses as Json, (response, status) =>
      status.startsWith('2') ? withContent(response as Json, 'response', writer) : response,
    ),
  };
}

const withParameterWords = (parameter: Json, { say }: Writer): Json =>
  '$ref' in parameter
    ? parameter
    : withDescription(parameter, idWords(parameter) ?? say(String(parameter.name), false));

/** A body that is not a component is described with its operation. */
function withContent(body: Json, path: string, writer: Writer): Json {
  if (body.content === undefined) return body;
  const content = mapValues(body.content as Json, (media) => {
    const { schema } = media as { readonly schema?: Json };
    if (schema === undefined || '$ref' in schema) return media;
    return { ...(media as Json), schema: described(schema, path, writer) };
  });
  return { ...body, content };
}

/** The schema at a path of its component, and everything in it. */
function described(schema: Json, path: string, writer: Writer): Json {
  const words = writer.say(path, refersTo(schema));
  const own = words === writer.wordsOfTarget(schema) ? schema : withDescription(schema, words);
  return withParts(own, path === 'this' ? '' : path, writer);
}

function withParts(schema: Json, path: string, writer: Writer): Json {
  const { items, additionalProperties, properties } = schema;
  const unions = UNIONS.filter((union) => Array.isArray(schema[union])).map((union) => [
    union,
    (schema[union] as readonly Json[]).map((each) => withParts(each, path, writer)),
  ]);
  return {
    ...schema,
    ...Object.fromEntries(unions),
    ...(isObject(items) && { items: described(items, `${path}[]`, writer) }),
    ...(isObject(additionalProperties) && {
      additionalProperties: described(additionalProperties, `${path}{}`, writer),
    }),
    ...(isObject(properties) && {
      properties: mapValues(properties, (each, name) =>
        described(each as Json, path === '' ? name : `${path}.${name}`, writer),
      ),
    }),
  };
}

/** Has the words of a component. What may also be null has to say when. */
const refersTo = (schema: Json): boolean =>
  '$ref' in schema ||
  UNIONS.some((union) => {
    const cases = (schema[union] ?? []) as readonly Json[];
    return cases.some(refersTo) && !cases.some(({ type }) => type === 'null');
  });

/** What the shape says itself stays. */
const withDescription = (node: Json, description: string | undefined): Json =>
  description === undefined || 'description' in node ? node : { ...node, description };
