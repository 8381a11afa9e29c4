import type { oas31 } from 'zod-openapi';
import { namesIn, type Schema } from '#lib/client/print-type.ts';

type Operation = oas31.OperationObject;
export type ApiDocument = {
  readonly tags?: readonly oas31.TagObject[];
  readonly paths?: oas31.PathsObject;
  readonly components?: oas31.ComponentsObject;
};

export type Parameter = { readonly name: string; readonly required: boolean; readonly schema: Schema };

/** An endpoint, as a method of the client. */
export type ClientMethod = {
  readonly group: string;
  readonly name: string;
  /** Names the types that belong to this method alone. */
  readonly typeName: string;
  readonly comment: string;
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly ids: readonly string[];
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | undefined;
  readonly reply: Schema;
  /** A list: the field of its items, or null where the reply is the bare array. */
  readonly list: { readonly field: string | null; readonly item: Schema } | undefined;
  /** It may be sent again: a GET, or a change that honours a key. */
  readonly repeatable: boolean;
};

const VERBS = ['get', 'post', 'patch', 'delete'] as const;

/**
 * The methods of the client; a deprecated spelling of a path has none. `usesUp`: which endpoints are GETs that work
 * once, which the document does not say.
 */
export function clientMethods(document: ApiDocument, usesUp: ReadonlySet<string>): readonly ClientMethod[] {
  const methods = Object.entries(document.paths ?? {})
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, item]) =>
      VERBS.flatMap((verb) => {
        const operation = item[verb];
        if (!operation || operation.deprecated) return [];
        return [clientMethod(document, path, verb, operation, usesUp)];
      }),
    );
  assertUnique(methods);
  return methods;
}

/** `api-keys` is `apiKeys`. */
export const camelCase = (tag: string): string => tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `createPayment` of `payments` is `create`: what the group says already is left out after the verb. */
export function methodName(operationId: string, tag: string): string {
  const plural = capitalized(camelCase(tag));
  const singular = plural.replace(/s$/, '');
  const [, verb, rest = ''] = new RegExp(`^([a-z]+)(?:${plural}|${singular})((?:[A-Z].*)?)$`).exec(operationId) ?? [];
  return verb === undefined ? operationId : verb + rest;
}

function clientMethod(
  document: ApiDocument,
  path: string,
  verb: (typeof VERBS)[number],
  operation: Operation,
  usesUp: ReadonlySet<string>,
): ClientMethod {
  const route = `${verb.toUpperCase()} ${path}`;
  const { operationId = '', tags: [group = ''] = [], summary = '' } = operation;
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, document) as oas31.ParameterObject);
  const isKeyed = parameters.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key');
  const { reply, isList } = successOf(operation, document);
  const method: ClientMethod = {
    group: camelCase(group),
    name: methodName(operationId, group),
    typeName: capitalized(operationId),
    comment: [
      `${summary}.`,
      [`\`${route}\`:`, ...callersOf(operation)].join(' '),
      `With examples at \`/docs/api/${group}#${operationId}\`.`,
      ...errorsOf(operation),
    ].join('\n'),
    verb: verb.toUpperCase() as ClientMethod['verb'],
    path,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: parameters.filter((each) => each.in === 'query').map(parameterOf),
    body: bodyOf(operation, document),
    reply,
    list: isList ? listOf(reply, document) : undefined,
    repeatable: verb === 'get' ? !usesUp.has(route) : isKeyed,
  };
  assertOneInput(method);
  return method;
}

/** Who may call it, and what else is said of it. */
function callersOf({ security = [], description }: Operation): readonly string[] {
  const [scope] = security.flatMap(({ Bearer = [] }) => Bearer);
  return [...(scope ? [`Requires the scope \`${scope}\`.`] : []), ...(description ? [description] : [])];
}

/** Its own errors, beside those that every request may end with. */
function errorsOf(operation: Operation & { readonly 'x-error-codes'?: readonly string[] }): readonly string[] {
  const codes = (operation['x-error-codes'] ?? []).map((code) => `\`${code}\``);
  return codes.length === 0 ? [] : [`@throws {PayforkError} ${codes.join(', ')}`];
}

const parameterOf = ({ name, required = false, schema, description }: oas31.ParameterObject): Parameter => ({
  name,
  required,
  schema: { ...(schema as oas31.SchemaObject), ...(description && { description }) },
});

function bodyOf({ requestBody }: Operation, document: ApiDocument): ClientMethod['body'] {
  if (!requestBody) return undefined;
  const { content, required = false } = resolved(requestBody, document) as oas31.RequestBodyObject;
  const schema = content['application/json']?.schema as Schema | undefined;
  return schema && { schema, required };
}

function successOf({ operationId, responses }: Operation, document: ApiDocument) {
  const [, success] = Object.entries(responses ?? {}).find(([status]) => /^2/.test(status)) ?? [];
  const { content, headers } = resolved(success, document) as oas31.ResponseObject;
  const reply = content?.['application/json']?.schema as Schema | undefined;
  if (!reply) throw new Error(`${operationId} has no JSON reply: the client has no method for it.`);
  return { reply, isList: headers !== undefined && 'Link' in headers };
}

function listOf(reply: Schema, document: ApiDocument): NonNullable<ClientMethod['list']> {
  const shape = resolved(reply, document) as oas31.SchemaObject;
  if (shape.items) return { field: null, item: shape.items };
  const arrays = Object.entries(shape.properties ?? {}).flatMap(([field, schema]) => {
    const { items } = schema as oas31.SchemaObject;
    return items ? [{ field, item: items }] : [];
  });
  const [only, ...more] = arrays;
  if (!only || more.length > 0) throw new Error(`A list's reply must have one array: ${JSON.stringify(reply)}`);
  return only;
}

function resolved(node: unknown, { components }: ApiDocument): unknown {
  const { $ref } = (node ?? {}) as { readonly $ref?: string };
  if ($ref === undefined) return node;
  const [kind = '', name = ''] = $ref.split('/').slice(2);
  return (components as Record<string, Record<string, unknown>> | undefined)?.[kind]?.[name];
}

/** Every method takes its ids, one input and its options. */
function assertOneInput({ verb, path, body, query }: ClientMethod): void {
  if (body && query.length > 0) throw new Error(`${verb} ${path} takes a body and a query: the client has one input.`);
}

function assertUnique(methods: readonly ClientMethod[]): void {
  const names = methods.map(({ group, name }) => `${group}.${name}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Two endpoints would be ${twice.join(', ')}: give one an operationId.`);
}

/** The components that a method's own types name. */
export const componentsOf = ({ query, body, reply, list }: ClientMethod): readonly string[] => [
  ...new Set(namesIn([query.map(({ schema }) => schema), body?.schema, reply, list?.item])),
];
