import * as z from 'zod';

type Schema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
};

/** The id for a field that names a resource; undefined for others. */
type IdsByField = (field: string) => string | undefined;

/** The value for a field of this name, if its schema alone does not tell. */
const BY_NAME: Readonly<Record<string, string>> = { email: 'somebody@shop.example', url: 'https://shop.example/hook' };

/** Tried in this order for texts with a pattern or a minimum length. Add a line for another form of text. */
const TEXTS = [
  'sample',
  'EUR',
  'DE',
  '1',
  '123456',
  '10m',
  '2099-01-01T00:00:00.000Z',
  '2026-01-31',
  'somebody@shop.example',
  'https://shop.example/',
  '127.0.0.1',
];

/** A minimal valid body for a schema; optional fields only if they name a resource, with the ids of `ids`. */
export function sampleOf(shape: z.ZodType, ids: IdsByField): unknown {
  const whole = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema;
  return make(whole, { whole, ids, field: '', n: 1 });
}

/** Whether any of its fields names a resource. */
export function namesAny(shape: z.ZodType | undefined, ids: IdsByField): boolean {
  const whole = shape && (z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema);
  return whole !== undefined && reaches(whole, { whole, ids, field: '', n: 1 });
}

type At = { readonly whole: Schema; readonly ids: IdsByField; readonly field: string; readonly n: number };

function make(schema: Schema, at: At): unknown {
  const {
    example,
    enum: choices,
    const: fixed,
    properties,
    items,
    required = [],
    minItems = 0,
    minimum = 1,
    type,
  } = resolved(schema, at);
  if (fixed !== undefined) return fixed;
  if (choices) return choices[0];
  if (properties) {
    const wanted = Object.entries(properties).filter(
      ([name, inner]) => required.includes(name) || reaches(inner, { ...at, field: name }),
    );
    return Object.fromEntries(wanted.map(([name, inner]) => [name, make(inner, { ...at, field: name })]));
  }
  if (items) return Array.from({ length: Math.max(1, minItems) }, (_, n) => make(items, { ...at, n: n + 1 }));
  if (type === 'string') return textFor(resolved(schema, at), at);
  if (type === 'integer' || type === 'number') return Math.max(1, minimum);
  if (type === 'boolean') return true;
  return example ?? {};
}

function textFor({ example, pattern, minLength = 0, maxLength = 1_000 }: Schema, { ids, field, n }: At): unknown {
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  const first = [ids(field), example, BY_NAME[field], `Sample ${n}`].find(
    (text): text is string => typeof text === 'string' && fits(text),
  );
  return first ?? TEXTS.find(fits) ?? 'x'.repeat(minLength);
}

function reaches(schema: Schema, at: At): boolean {
  const { properties = {}, items, type } = resolved(schema, at);
  if (items) return reaches(items, at);
  if (type === 'string' && at.ids(at.field) !== undefined) return true;
  return Object.entries(properties).some(([name, inner]) => reaches(inner, { ...at, field: name }));
}

/** The first of several alternatives that is more than null. */
function resolved(schema: Schema, at: At): Schema {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return resolved(at.whole.$defs?.[$ref.split('/').at(-1) ?? ''] ?? {}, at);
  const inner = (anyOf ?? oneOf ?? allOf)?.find(({ type }) => type !== 'null');
  return inner
    ? resolved({ ...schema, anyOf: undefined, oneOf: undefined, allOf: undefined, ...inner } as Schema, at)
    : schema;
}
