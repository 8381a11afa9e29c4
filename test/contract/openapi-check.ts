import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { ReceivedRequest } from '#test/contract/canned-server.ts';

const SPECS = new URL('../../../shared/psp-specs/', import.meta.url);

export const specsThere = existsSync(SPECS);
// biome-ignore lint/style/noProcessEnv: only the build server says that it is one.
export const inCi = Boolean(process.env.CI);

type Schema = { [key: string]: unknown };
type Operation = {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = { paths: Record<string, Record<string, Operation>>; components?: { schemas?: Record<string, Schema> } };

export type RequestCheck = (request: ReceivedRequest) => readonly string[];

/**
 * Holds requests against the PSP's own document: path, method, query, media type and body, in which nothing is allowed
 * that the document doesn't name. `additions` are body fields by operation (`POST /path`) that later versions have.
 */
export function openApiCheck(file: string, additions: Readonly<Record<string, Schema>> = {}): RequestCheck {
  const document: Document = JSON.parse(readFileSync(new URL(file, SPECS), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', components: closed(document.components ?? {}) });
  const compiled = new Map<Operation, ValidateFunction>();
  return (request) => {
    const found = Object.entries(document.paths).find(
      ([template, item]) => matches(template, request.path) && item[request.method.toLowerCase()],
    );
    const operation = found?.[1][request.method.toLowerCase()];
    if (!found || !operation) return [`${request.method} ${request.path}: no such operation`];
    const schema = operation.requestBody?.content[request.headers['content-type'] ?? '']?.schema;
    const validate =
      compiled.get(operation) ??
      (schema && ajv.compile(bodySchema(schema, additions[`${request.method} ${found[0]}`] ?? {})));
    if (validate) compiled.set(operation, validate);
    return [...queryFaults(request, operation), ...bodyFaults(request, validate)].map(
      (fault) => `${request.method} ${request.path}: ${fault}`,
    );
  };
}

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);

function queryFaults({ query }: ReceivedRequest, { parameters = [] }: Operation): string[] {
  const known = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  return [...query.keys()]
    .filter((name) => !known.has(name.replace(/\[.*$/, '')))
    .map((name) => `query parameter ${name} is unknown`);
}

function bodyFaults({ headers, body }: ReceivedRequest, validate: ValidateFunction | undefined): string[] {
  if (body === '') return [];
  const type = headers['content-type'];
  if (!validate) return [`no body of type ${type} is expected`];
  if (validate(type === 'application/json' ? JSON.parse(body) : nested(body))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function bodySchema(schema: Schema, additions: Schema): object {
  const own = closed(schema) as { properties?: Schema };
  return inlineRefs({ ...own, properties: { ...own.properties, ...additions } });
}

/** Documents rarely forbid what they don't name; a request must not rely on that. */
function closed(value: unknown): object {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const inner: Schema = Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
    return inner.type === 'object' && inner.properties && inner.additionalProperties === undefined
      ? { ...inner, additionalProperties: false }
      : inner;
  };
  return walk(value) as object;
}

const inlineRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/'));

/** `a[b][0]=c` as `{ a: { b: ['c'] } }`. */
export function nested(body: string): unknown {
  const root: Schema = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const keys = name.split(/\[|\]\[|\]/).filter((key) => key !== '');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Schema>((node, key) => {
      node[key] ??= {};
      return node[key] as Schema;
    }, root);
    parent[last] = value;
  }
  return listed(root);
}

function listed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, child]) => [key, listed(child)] as const);
  return entries.length > 0 && entries.every(([key], index) => key === String(index))
    ? entries.map(([, child]) => child)
    : Object.fromEntries(entries);
}
