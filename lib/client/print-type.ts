import type { oas31 } from 'zod-openapi';

export type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** Keywords that say which values are valid, which a type cannot: the API checks them. */
const NOT_IN_TYPES: ReadonlySet<string> = new Set([
  ...['description', 'example', 'examples', 'default', 'title', 'format', 'pattern', 'discriminator', 'deprecated'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'unevaluatedProperties'],
  'x-enumDescriptions',
]);
const IN_TYPES: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', '$ref'],
  ...['items', 'properties', 'required', 'additionalProperties', 'propertyNames'],
]);

/** A longer union has a line for each of its types. */
const MAX_UNION_LENGTH = 90;

/** The TypeScript type of a JSON schema. Throws for a keyword that it does not know: none is passed over. */
export function printType(schema: Schema, indent = ''): string {
  if ('$ref' in schema && schema.$ref) return componentName(schema.$ref);
  assertKnown(schema);
  const { const: constant, enum: values, anyOf, oneOf, allOf, not } = schema as oas31.SchemaObject;
  if (constant !== undefined) return literal(constant);
  if (values) return unionOf(values.map(literal), indent);
  const either = anyOf ?? oneOf;
  if (either)
    return unionOf(
      either.map((each) => printType(each, indent)),
      indent,
    );
  if (allOf) return allOf.map((each) => asPart(each, indent)).join(' & ');
  if (not) return 'never';
  return byKind(schema as oas31.SchemaObject, indent);
}

/** Of several types: a union needs its own parentheses there. */
function asPart(schema: Schema, indent: string): string {
  const type = printType(schema, indent);
  return /^\w+$/.test(type) || ('type' in schema && schema.type === 'object') ? type : `(${type})`;
}

/** The names of components that a schema refers to. */
export function* namesIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, value] of Object.entries(schema)) {
    if (name === '$ref' && typeof value === 'string') yield componentName(value);
    else yield* namesIn(value);
  }
}

/** `lines` of a comment; descriptions are Markdown, which editors show. */
export function printComment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const safe = text.replaceAll('*/', '*\\/');
  const lines = safe.split('\n').flatMap((line) => wrapped(line, 113 - indent.length));
  const [only, ...more] = lines;
  if (more.length === 0) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const componentName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : JSON.stringify(value);

function unionOf(types: readonly string[], indent: string): string {
  const [first, ...more] = new Set(types);
  const line = [first, ...more].join(' | ');
  const isShort = more.length === 0 || line.includes('\n') || line.length < MAX_UNION_LENGTH;
  return isShort ? line : [first, ...more].map((type) => `\n${indent}  | ${type}`).join('');
}

function assertKnown(schema: object): void {
  const unknown = Object.keys(schema).filter((name) => !IN_TYPES.has(name) && !NOT_IN_TYPES.has(name));
  if (unknown.length > 0) throw new Error(`lib/client/print-type.ts does not know ${unknown.join(', ')} of a schema.`);
}

function byKind(schema: oas31.SchemaObject, indent: string): string {
  const { type } = schema;
  if (type === undefined) return 'properties' in schema ? printObject(schema, indent) : 'unknown';
  if (Array.isArray(type))
    return unionOf(
      type.map((each) => byKind({ ...schema, type: each }, indent)),
      indent,
    );
  switch (type) {
    case 'object':
      return printObject(schema, indent);
    case 'array':
      return `readonly ${asItem(schema.items ? printType(schema.items, indent) : 'unknown')}[]`;
    case 'integer':
      return 'number';
    default:
      return type;
  }
}

/** A union of several lines begins on a line of its own. */
export const spaced = (type: string): string => (type.startsWith('\n') ? type : ` ${type}`);

const asItem = (type: string): string => (/^\w+$/.test(type) || /^\{[^{}]*\}$/.test(type) ? type : `(${type})`);

function printObject({ properties = {}, required = [], ...others }: oas31.SchemaObject, indent: string): string {
  const { additionalProperties: more, propertyNames } = others;
  const inner = `${indent}  `;
  const named = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-zA-Z_$][\w$]*$/.test(name) ? name : literal(name);
    const mark = required.includes(name) ? '' : '?';
    return `${printComment(descriptionOf(schema), inner)}${inner}${key}${mark}:${spaced(printType(schema, inner))};\n`;
  });
  const value = more === undefined || more === false ? undefined : valueType(more, inner);
  if (named.length === 0) return value === undefined ? 'NoInput' : recordOf(propertyNames, value);
  // A field of its own must fit the index signature, too: what else an object has is unknown.
  if (value !== undefined) named.push(`${inner}[name: string]: unknown;\n`);
  return `{\n${named.join('')}${indent}}`;
}

const valueType = (more: true | Schema, indent: string): string =>
  more === true || Object.keys(more).length === 0 ? 'unknown' : printType(more, indent);

const asLine = (type: string): string => type.replace(/^\n +\| /, '').replaceAll(/\n +\| /g, ' | ');

/** With names of a list, any of them may be missing. */
function recordOf(names: Schema | undefined, value: string): string {
  const keys = names && ('enum' in names || '$ref' in names) ? printType(names) : undefined;
  return keys ? `{ [name in ${asLine(keys)}]?: ${value} }` : `{ [name: string]: ${value} }`;
}

const descriptionOf = (schema: Schema): string | undefined =>
  'description' in schema ? schema.description : undefined;

function wrapped(line: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
