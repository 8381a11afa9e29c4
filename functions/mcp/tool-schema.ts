/** A JSON schema, or a part of the document. */
export type Json = { readonly [name: string]: unknown };

const PREFIX = '#/components/schemas/';

/** Agents pay for every word of a tool, in each conversation. */
const MAX_WORDS = 100;
const MAX_VALUES = 30;
/** Of an object within an input, in characters. A longer one shows the names of its fields. */
const MAX_NESTED = 500;
/** The outermost object is the body, whose fields are always shown. */
const BODY_DEPTH = 1;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first sentence, if it is short. */
export function shortWords(text: string): string {
  const [sentence = ''] = /^.*?[.](?=\s|$)/s.exec(text) ?? [text];
  return sentence.length <= MAX_WORDS ? sentence : `${sentence.slice(0, MAX_WORDS - 1).toWellFormed()}…`;
}

/** What an agent does not need: the API checks it, and says what is wrong. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['example', 'examples', 'title', 'pattern', 'discriminator', 'maxLength', 'minLength', 'format', 'propertyNames'],
  ...['maxItems', 'minItems', 'uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

/** A schema as a tool shows it: whole, without references, and without what only programs use. */
export function toolSchema(schema: unknown, components: Json, depth = BODY_DEPTH): unknown {
  if (Array.isArray(schema)) return schema.map((each) => toolSchema(each, components, depth));
  if (!isObject(schema)) return schema;
  const { $ref, description } = schema;
  if (typeof $ref === 'string') {
    const words = description === undefined ? {} : { description };
    return toolSchema({ ...(components[$ref.slice(PREFIX.length)] as Json), ...words }, components, depth);
  }
  const names = fieldsOf(schema, components);
  if (depth > BODY_DEPTH && names.length > 0 && isLong(schema, components, depth)) return outline(schema, names);
  return Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => part(name, value, components, depth)));
}

/** Its parts are outlines themselves, so that this ends where a schema contains itself. */
function isLong(schema: Json, components: Json, depth: number): boolean {
  if (depth > BODY_DEPTH + 2) return true;
  const shown = Object.entries(schema).flatMap(([name, value]) => part(name, value, components, depth));
  return JSON.stringify(Object.fromEntries(shown)).length > MAX_NESTED;
}

function outline({ description = '' }: Json, names: readonly string[]): Json {
  const words = typeof description === 'string' && description !== '' ? `${shortWords(description)} ` : '';
  return { type: 'object', description: `${words}Fields: ${names.join(', ')}.` };
}

/** The fields of an object, or of all variants of a union. */
function fieldsOf(schema: Json, components: Json): readonly string[] {
  const { properties, oneOf, anyOf, allOf, $ref } = schema;
  if (typeof $ref === 'string') return fieldsOf(components[$ref.slice(PREFIX.length)] as Json, components);
  const variants = [oneOf, anyOf, allOf].flatMap((each) => (Array.isArray(each) ? each.filter(isObject) : []));
  const own = isObject(properties) ? Object.keys(properties) : [];
  return [...new Set([...own, ...variants.flatMap((each) => fieldsOf(each, components))])];
}

type Entry = readonly [name: string, value: unknown];

function part(name: string, value: unknown, components: Json, depth: number): readonly Entry[] {
  if (DROPPED.has(name) || name.startsWith('x-')) return [];
  if (name === 'properties' && isObject(value)) {
    const fields = Object.entries(value).map(([field, each]) => [field, toolSchema(each, components, depth + 1)]);
    return [[name, Object.fromEntries(fields)]];
  }
  if (name === 'description' && typeof value === 'string') return [[name, shortWords(value)]];
  if (name === 'enum' && Array.isArray(value)) return value.length > MAX_VALUES ? [] : [[name, value]];
  if (name === 'additionalProperties' && !isObject(value)) return [];
  return [[name, toolSchema(value, components, name === 'items' ? depth + 1 : depth)]];
}
