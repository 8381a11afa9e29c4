import { type Json, shortWords, toolSchema } from '#functions/mcp/tool-schema.ts';

/** What one tool calls. */
export type ToolCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly queryNames: readonly string[];
  readonly hasBody: boolean;
  /** Missing: any key may call it. */
  readonly scope: string | undefined;
  /** It changes something: only for the keys of agents, and with an idempotency key. */
  readonly changes: boolean;
  readonly isList: boolean;
};

export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [name: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly call: ToolCall;
};

type Parameter = {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Json;
};
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Json };
  readonly 'x-agents'?: 'may' | 'ask';
};
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Json; readonly parameters: Readonly<Record<string, unknown>> };
};

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

/** A page of a list for an agent: each item costs it tokens. */
export const PAGE_SIZE = 10;

const IDEMPOTENCY_KEY = {
  type: 'string',
  description: 'New for each operation. To repeat one, after an approval or an unclear end, send the same.',
};

const PERSON = ' Above the limit of the organization a person has to approve it first.';

/** Every operation that a key may call, as a tool. Of those that change something, the ones that are open to agents. */
export function toolsOf(document: ApiDocument): readonly Tool[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      return operation && isTool(method, operation) ? [toolOf(path, method, operation, document)] : [];
    }),
  );
}

const bearerOf = ({ security = [] }: Operation) => security.find((either) => 'Bearer' in either)?.Bearer;

const isTool = (method: string, operation: Operation): boolean =>
  bearerOf(operation) !== undefined &&
  !operation.deprecated &&
  (method === 'get' || operation['x-agents'] !== undefined);

type Method = (typeof METHODS)[number];

function toolOf(path: string, method: Method, operation: Operation, document: ApiDocument): Tool {
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, document));
  const call = callOf(path, method, operation, parameters);
  const { changes } = call;
  return {
    name: operation.operationId,
    description: `${operation.summary}.${operation['x-agents'] === 'ask' ? PERSON : ''}`,
    inputSchema: inputOf(operation, parameters, call, document),
    annotations: { readOnlyHint: !changes, destructiveHint: changes, idempotentHint: true, openWorldHint: false },
    call,
  };
}

/** What has no idempotency key is a POST that only reads, such as a simulation: a test lists all of them. */
function callOf(path: string, method: Method, operation: Operation, parameters: readonly Parameter[]): ToolCall {
  const named = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const queryNames = named('query');
  return {
    method: method.toUpperCase() as ToolCall['method'],
    path,
    pathNames: named('path'),
    queryNames,
    hasBody: operation.requestBody !== undefined,
    scope: bearerOf(operation)?.[0],
    changes: method !== 'get' && named('header').includes('Idempotency-Key'),
    isList: queryNames.includes('limit'),
  };
}

const resolved = (parameter: Parameter, { components }: ApiDocument): Parameter =>
  parameter.$ref === undefined
    ? parameter
    : (components.parameters[parameter.$ref.slice('#/components/parameters/'.length)] as Parameter);

function inputOf(
  { requestBody }: Operation,
  parameters: readonly Parameter[],
  { changes, isList }: ToolCall,
  { components }: ApiDocument,
): Tool['inputSchema'] {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const parameter of parameters.filter((each) => each.in === 'path' || each.in === 'query')) {
    properties[parameter.name] = parameterSchema(parameter, components.schemas);
    if (parameter.required) required.push(parameter.name);
  }
  if (isList) properties.limit = { type: 'integer', minimum: 1, maximum: 200, default: PAGE_SIZE };
  if (requestBody) {
    properties.body = toolSchema(jsonOf(requestBody.content), components.schemas);
    if (requestBody.required) required.push('body');
  }
  if (changes) {
    properties.idempotency_key = IDEMPOTENCY_KEY;
    required.push('idempotency_key');
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
  };
}

const jsonOf = (content: Json): unknown => (content['application/json'] as { readonly schema: unknown }).schema;

function parameterSchema({ schema, description }: Parameter, schemas: Json): unknown {
  const shape = toolSchema(schema, schemas) as Json;
  return description === undefined ? shape : { ...shape, description: shortWords(description) };
}
