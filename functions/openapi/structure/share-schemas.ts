import { isObject, type Json, mapValues, refTo, schemasOf, withSchemas } from '#functions/openapi/structure/json.ts';
import { SHARED_SCHEMAS, SHARED_WITH_WORDS } from '#functions/openapi/structure/shared-schemas.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

type Shared = { readonly name: string; readonly schema: Json };

/** What stands in many places is written once, as the tables of `shared-schemas.ts` say. */
export function withSharedSchemas(document: OpenApiDocument): OpenApiDocument {
  const schemas = schemasOf(document);
  const { paths, webhooks } = document;
  const shared = sharedSchemas(schemas);
  for (const { name } of shared.values())
    if (name in schemas) throw new Error(`There is a component ${name} already: shared-schemas.ts needs another name.`);
  const share = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(share);
    if (!isObject(node)) return node;
    const found = isSchema(node) ? (shared.get(JSON.stringify(node)) ?? shared.get(keyOf(node))) : undefined;
    return found === undefined ? mapValues(node, share) : referenceTo(found, node);
  };
  const components = [...shared.values()].map(({ name, schema }) => [name, mapValues(schema, share)] as const);
  return withSchemas(
    {
      ...document,
      paths: share(paths) as OpenApiDocument['paths'],
      webhooks: share(webhooks) as OpenApiDocument['webhooks'],
    },
    { ...(share(schemas) as Json), ...Object.fromEntries(components) },
  );
}

const isSchema = (node: Json): boolean => 'type' in node || 'anyOf' in node || 'enum' in node;

/** By what a schema must be like to refer to them. They have the words that most of their places have. */
function sharedSchemas(schemas: Json): ReadonlyMap<string, Shared> {
  const named = Object.entries(SHARED_SCHEMAS).map(([name, place]) => ({ name, schema: schemaAt(schemas, place) }));
  const words = new Map(named.map(({ schema }) => [keyOf(schema), new Map<unknown, number>()]));
  countWords(schemas, words);
  const byShape = named.map(({ name, schema }) => {
    const [[description] = []] = [...(words.get(keyOf(schema)) ?? [])].sort(([, a], [, b]) => b - a);
    const own = description === undefined ? schema : { ...schema, description };
    return [keyOf(schema), { name, schema: own }] as const;
  });
  const byWords = Object.entries(SHARED_WITH_WORDS).map(([name, place]) => {
    const schema = schemaAt(schemas, place);
    return [JSON.stringify(schema), { name, schema }] as const;
  });
  return new Map([...byShape, ...byWords]);
}

/** How often each description stands at schemas that are alike. */
function countWords(node: unknown, words: ReadonlyMap<string, Map<unknown, number>>): void {
  if (typeof node !== 'object' || node === null) return;
  if (isObject(node) && isSchema(node)) {
    const counts = words.get(keyOf(node));
    counts?.set(node.description, (counts.get(node.description) ?? 0) + 1);
  }
  for (const inner of Object.values(node)) countWords(inner, words);
}

const referenceTo = ({ name, schema }: Shared, { description }: Json): Json => ({
  ...refTo(name),
  ...(description !== undefined && description !== schema.description && { description }),
});

/** Everything but the words. */
const keyOf = (schema: Json): string => JSON.stringify(withoutWords(schema));

function withoutWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutWords);
  if (!isObject(node)) return node;
  const { description: _, example: _example, ...rest } = node;
  return mapValues(rest, withoutWords);
}

/** What is behind `anyOf: [it, null]`. */
const orNull = (node: Json): Json => {
  const [first] = Array.isArray(node.anyOf) ? node.anyOf : [];
  return isObject(first) ? first : node;
};

/** `Payment.refunds[].status`: a component, then properties; `[]` for the items of a list. */
function schemaAt(schemas: Json, place: string): Json {
  const steps = place.split('.').flatMap((step) => step.split(/(\[\])/).filter((part) => part !== ''));
  const found = steps.reduce<unknown>((node, step, index) => {
    if (!isObject(node)) return undefined;
    if (index === 0) return node[step];
    const whole = orNull(node);
    if (step === '[]') return whole.items;
    return isObject(whole.properties) ? whole.properties[step] : undefined;
  }, schemas);
  if (!isObject(found)) throw new Error(`There is no schema at ${place}: functions/openapi/structure names it.`);
  return found;
}
