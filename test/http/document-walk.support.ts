import fc from 'fast-check';

/** A schema of the document, as JSON. */
export type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isObject) : []);
const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other);

/** Texts are short, lists too: what is longer shows no more, and takes longer. */
const MAX_TEXT = 40;
const MAX_ITEMS = 3;

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-03-01T00:00:00Z', '2031-12-31T23:59:59.999Z', '1969-01-01T00:00:00+01:00'],
  email: ['kim@shop.example', 'a.b+c@example.com'],
  uri: ['https://shop.example/back', 'https://shop.example/?a=1#b'],
  ipv4: ['203.0.113.7'],
  ipv6: ['2001:db8::1'],
  '^\\d{4}-\\d{2}-\\d{2}': ['2026-02-27', '2026-03-01T00:00:00Z'],
};

/** Components whose words name a list that their pattern does not have. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  Currency: ['EUR', 'usd', 'JPY'],
  Country: ['DE', 'fr'],
  Method: ['card', 'ideal'],
};

/**
 * `schemas`: the document's components. `known`: values of properties that name another object. `isMinimal`: without
 * the fields that are optional.
 */
export type Context = {
  readonly schemas: Schema;
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly isMinimal: boolean;
};

/** What a schema allows, as values of it. */
export function valuesOf(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const of = (each: Schema): fc.Arbitrary<unknown> => valuesOf(each, context);
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const listed = LISTED[name];
    return listed ? fc.constantFrom(...listed) : of((context.schemas[name] ?? {}) as Schema);
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const either = listOf(schema.anyOf ?? schema.oneOf);
  if (either.length > 0) return fc.oneof(...either.map(of));
  if (schema.allOf) return fc.tuple(...listOf(schema.allOf).map(of)).map((parts) => Object.assign({}, ...parts));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => of({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({ min: numberOr(schema.minimum, -10), max: numberOr(schema.maximum, 10_000) });
    case 'number':
      return fc.integer({ min: numberOr(schema.minimum, -10), max: numberOr(schema.maximum, 100) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return itemsOf(schema, of);
    default:
      return objectsOf(schema, context);
  }
}

function textsOf({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const known = TEXTS[String(format)] ?? TEXTS[String(pattern)];
  if (known) return fc.constantFrom(...known);
  const [min, max] = [numberOr(minLength, 0), numberOr(maxLength, MAX_TEXT)];
  if (typeof pattern === 'string') return matching(pattern).filter((text) => text.length >= min && text.length <= max);
  return fc.string({ minLength: min, maxLength: Math.max(min, Math.min(max, MAX_TEXT)), unit: 'grapheme-ascii' });
}

/** The few patterns that look ahead have texts of their own. */
const matching = (pattern: string): fc.Arbitrary<string> =>
  pattern.includes('(?!') ? fc.constantFrom('visa', 'mastercard') : fc.stringMatching(new RegExp(pattern, 'u'));

function itemsOf(schema: Schema, of: (schema: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  const minLength = numberOr(schema.minItems, 0);
  const maxLength = Math.max(minLength, Math.min(numberOr(schema.maxItems, MAX_ITEMS), MAX_ITEMS));
  return fc.array(isObject(schema.items) ? of(schema.items) : fc.constant('x'), { minLength, maxLength });
}

function objectsOf(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const { properties, additionalProperties: more, propertyNames } = schema;
  const of = (each: Schema): fc.Arbitrary<unknown> => valuesOf(each, context);
  const requiredKeys: readonly string[] = Array.isArray(schema.required) ? schema.required : [];
  const own = Object.entries(isObject(properties) ? properties : {}).filter(
    ([name, each]) => !isNever(each) && (!context.isMinimal || requiredKeys.includes(name)),
  );
  const fieldOf = (name: string, each: Schema) => {
    const known = context.known[name];
    return known?.length ? fc.constantFrom(...known) : of(each);
  };
  const model = Object.fromEntries(own.map(([name, each]) => [name, fieldOf(name, each as Schema)]));
  const least = numberOr(schema.minProperties, 0);
  if (isObject(properties))
    return fc
      .record(model, { requiredKeys: [...requiredKeys] })
      .map((made) => (Object.keys(made).length < least ? { ...made, ...firstOf(properties) } : made));
  if (!isObject(more)) return fc.constant({});
  const names = isObject(propertyNames) ? of(propertyNames) : fc.stringMatching(/^[a-z]{1,8}$/);
  return fc.dictionary(names as fc.Arbitrary<string>, of(more), { maxKeys: MAX_ITEMS });
}

/** For an object that needs one of its optional fields. */
const firstOf = (properties: Schema): Schema =>
  Object.fromEntries(
    Object.keys(properties)
      .slice(0, 1)
      .map((name) => [name, 'x']),
  );

const isNever = (schema: unknown): boolean => isObject(schema) && 'not' in schema;

/** Bodies that differ from a valid one in one thing; not all of them are wrong. */
export function* changedBodies(body: unknown): Generator<unknown> {
  yield [];
  yield 7;
  if (!isObject(body)) return;
  yield { ...body, colour: 'red' };
  for (const [name, value] of Object.entries(body)) {
    const { [name]: _, ...others } = body;
    yield others;
    yield { ...body, [name]: typeof value === 'string' ? { of: [value] } : 'many' };
    if (typeof value === 'number') yield { ...body, [name]: value + 0.5 };
    if (typeof value === 'number') yield { ...body, [name]: -1e15 };
    if (typeof value === 'string') yield { ...body, [name]: `\u0000${value}` };
    if (Array.isArray(value)) yield { ...body, [name]: Array.from({ length: 600 }, () => value[0] ?? 'x') };
  }
}
