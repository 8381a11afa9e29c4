/** What the documentation reads of a JSON schema. Whatever else stands in one is passed over. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly deprecated?: boolean;
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
};

type Examples = Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;
export type Media = { readonly schema?: Schema; readonly example?: unknown; readonly examples?: Examples };
type Content = Readonly<Record<string, Media>>;

export type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
};

type ResponseBody = { readonly $ref?: string; readonly description?: string; readonly content?: Content };
type RequestBody = { readonly $ref?: string; readonly required?: boolean; readonly content?: Content };

export type Operation = {
  readonly 'x-error-codes'?: readonly string[];
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseBody>>;
};

type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<Partial<Record<Verb, Operation>>>;
const VERBS = ['get', 'post', 'patch', 'put', 'delete'] as const;
type Verb = (typeof VERBS)[number];

/** What the documentation reads of the API document. */
export type ApiDescription = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** An operation with its place. References to parameters, bodies and responses are resolved, those to schemas are not. */
export type Endpoint = Operation & {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
};

export function endpointsOf(document: ApiDescription, paths = document.paths): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    VERBS.flatMap((verb) => {
      const operation = item[verb];
      return operation ? [endpointOf(document, { path, verb, operation, shared: item.parameters ?? [] })] : [];
    }),
  );
}

type Found = { path: string; verb: Verb; operation: Operation; shared: readonly Parameter[] };

function endpointOf(document: ApiDescription, { path, verb, operation, shared }: Found): Endpoint {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    resolved(document, response),
  ]);
  return {
    ...operation,
    method: verb.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? '',
    parameters: [...shared, ...(operation.parameters ?? [])].map((each) => resolved(document, each)),
    ...(operation.requestBody && { requestBody: resolved(document, operation.requestBody) }),
    responses: Object.fromEntries(responses),
  };
}

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** What a reference leads to; anything else is returned as it is. */
export function resolved<T extends object>(document: ApiDescription, node: T): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node;
  const [kind = '', name = ''] = node.$ref.split('/').slice(2);
  const found = document.components[kind]?.[name];
  if (!found) throw new Error(`The API document has no ${node.$ref}.`);
  // A reference leads to a thing of its own kind.
  return resolved(document, found as T);
}

/** The JSON of a body, if it has one. */
export const jsonOf = (body: { readonly content?: Content } | undefined): Media | undefined =>
  body?.content?.['application/json'];

/** The first example of a body, undefined if it has none. */
export function exampleOf(document: ApiDescription, media: Media | undefined): unknown {
  if (media?.example !== undefined) return media.example;
  const [first] = Object.values(media?.examples ?? {});
  return first && resolved(document, first).value;
}

/** The response of a success, with its status. */
export function successOf({ responses }: Operation): readonly [status: string, ResponseBody] | undefined {
  return Object.entries(responses).find(([status]) => /^[23]/.test(status));
}
