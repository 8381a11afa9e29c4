import { METHOD_NOTES, VALUE_NOTES } from '#functions/openapi/notes/enum-values.notes.ts';
import type { Json } from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

type Words = Readonly<Record<string, string>>;

const keyOf = (values: readonly unknown[]): string => JSON.stringify([...values].sort());
const BY_VALUES = new Map(VALUE_NOTES.map((words) => [keyOf(Object.keys(words)), words]));

/** Says what the values of enumerations mean, as renderers of OpenAPI read it; and what each payment method is. */
export function withValueWords(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const schemas = withWords(components?.schemas ?? {}) as Readonly<Record<string, Json>>;
  const method = { ...schemas.Method, 'x-enumDescriptions': METHOD_NOTES };
  return {
    ...document,
    components: { ...components, schemas: { ...schemas, Method: method } as NonNullable<typeof components>['schemas'] },
  };
}

function withWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withWords);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withWords(value)]));
  const words = Array.isArray(inner.enum) ? wordsFor(inner.enum) : undefined;
  return { ...inner, ...(words && { 'x-enumDescriptions': words }) };
}

/** In the order of the values. */
function wordsFor(values: readonly unknown[]): Words | undefined {
  const words = BY_VALUES.get(keyOf(values));
  return words && Object.fromEntries(values.map((value) => [value, words[String(value)]]));
}
