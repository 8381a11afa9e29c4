import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { RequestCheck } from '#test/contract/openapi-check.ts';

type Schema = { readonly [key: string]: unknown };
type Operation = {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Holds requests and answers against Mollie's own document. It composes its objects with `allOf` and describes what is
 * sent and what is shown in one schema, so parts are merged and, of what is sent, `readOnly` members are dropped; what
 * it does not name is refused.
 */
export function mollieDocument() {
  const document: Document = JSON.parse(
    readFileSync(new URL('../../../shared/psp-specs/mollie.openapi.json', import.meta.url), 'utf8'),
  );
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const compiled = new Map<Schema, ValidateFunction>();
  const compile = (schema: Schema, sent: boolean): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(merged(document, schema, sent));
    compiled.set(schema, known);
    return known;
  };
  const find = (method: string, path: string) => {
    const item = Object.entries(document.paths).find(
      ([template, operations]) =>
        new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path) && operations[method.toLowerCase()],
    );
    return item?.[1][method.toLowerCase()];
  };
  const check: RequestCheck = ({ method, path, query, headers, body }) => {
    const operation = find(method, path);
    if (!operation) return [`${method} ${path}: no such operation`];
    const names = (operation.parameters ?? [])
      .map((parameter) => resolve(document, parameter))
      .filter((parameter) => parameter.in === 'query');
    const strange = [...query.keys()]
      .filter((name) => !names.some((parameter) => parameter.name === name))
      .map((name) => `query ${name}`);
    const schema = operation.requestBody?.content[headers['content-type'] ?? '']?.schema;
    if (body === '') return strange;
    return schema
      ? [...strange, ...faults(compile(schema, true), JSON.parse(body))]
      : [...strange, 'no body is expected'];
  };
  /** An answer of the simulator, as the document has it. */
  const answerFaults = (method: string, path: string, status: number, body: unknown): readonly string[] => {
    const responses = find(method, path)?.['responses' as keyof Operation] as
      | Readonly<Record<string, Schema>>
      | undefined;
    const response = responses?.[String(status)];
    if (!response) return [`${method} ${path}: ${status} is not in the document`];
    const { content } = resolve(document, response) as { content?: Readonly<Record<string, { schema: Schema }>> };
    const schema = content?.['application/hal+json']?.schema;
    return schema ? faults(compile(schema, false), body) : [];
  };
  return { check, answerFaults };
}

function faults(validate: ValidateFunction, value: unknown): readonly string[] {
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}

function resolve(document: Document, schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const target = schema.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (isSchema(node) ? node[name] : undefined), document);
  const { $ref: _, ...beside } = schema;
  return { ...(isSchema(target) ? resolve(document, target) : {}), ...beside };
}

function merged(document: Document, given: Schema, sent: boolean): Schema {
  const schema = resolve(document, given);
  const parts = [
    schema,
    ...(Array.isArray(schema.allOf) ? schema.allOf.filter(isSchema).map((part) => merged(document, part, sent)) : []),
  ];
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Readonly<Record<string, Schema>>;
  const { allOf: _, ...own } = Object.assign({}, ...parts.toReversed()) as { [key: string]: unknown };
  const inner = Object.entries(properties)
    .map(([name, property]) => [name, merged(document, property, sent)] as const)
    .filter(([, property]) => !sent || property.readOnly !== true);
  // A type that may be null comes with lists of values that forget to say so.
  const orNull =
    Array.isArray(own.enum) && Array.isArray(own.type) && own.type.includes('null')
      ? { enum: [...new Set([...own.enum, null])] }
      : {};
  const lists = Object.fromEntries(
    (['oneOf', 'anyOf'] as const).flatMap((word) => {
      const variants = own[word];
      return Array.isArray(variants)
        ? [[word, variants.filter(isSchema).map((variant) => merged(document, variant, sent))]]
        : [];
    }),
  );
  const items = isSchema(own.items) ? { items: merged(document, own.items, sent) } : {};
  if (inner.length === 0) return { ...own, ...orNull, ...lists, ...items };
  const required = [...new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])))].filter(
    (name) => inner.some(([known]) => known === name),
  );
  const open = own.additionalProperties === undefined ? { additionalProperties: false } : {};
  return { ...own, ...lists, ...items, ...open, properties: Object.fromEntries(inner), required };
}
