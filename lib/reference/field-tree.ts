import { type ApiDescription, nameOf, resolved, type Schema } from '#lib/reference/api-description.ts';

/** A field of a body, with the fields below it. */
export type Field = {
  readonly name: string;
  /** In words: `string`, `array of objects`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Markdown. */
  readonly description: string;
  /** Limits, formats and the default, each a few words. */
  readonly limits: readonly string[];
  readonly values: readonly string[];
  /** The object that describes it, which stands elsewhere. */
  readonly object: ObjectPlace | undefined;
  readonly fields: readonly Field[];
  readonly variants: readonly Variant[];
};

/** An object that several operations return: it is described once, and linked to. */
export type ObjectPlace = { readonly name: string; readonly address: string };
export type ObjectPlaces = ReadonlyMap<string, ObjectPlace>;

/** One of several forms that a value may have. */
export type Variant = { readonly title: string; readonly fields: readonly Field[] };

export type Tree = {
  readonly fields: readonly Field[];
  readonly variants: readonly Variant[];
  readonly object?: ObjectPlace | undefined;
  readonly list?: true;
};

/** How far a schema is followed. `objects`: the components that have a place of their own, to which is linked. */
type Scope = {
  readonly document: ApiDescription;
  readonly objects: ObjectPlaces;
  /** The components above, so that one that holds itself ends. */
  readonly above: readonly string[];
};

/** The fields of a body. `objects` are linked to instead of followed, except at the very top. */
export function treeOf(document: ApiDescription, schema: Schema, objects: ObjectPlaces = new Map()): Tree {
  return shapeOf(schema, { document, objects, above: [] });
}

/** What a response is made of: the fields, or the object that has a place of its own. */
export function replyTree(document: ApiDescription, schema: Schema, objects: ObjectPlaces): Tree {
  const object = placeOf(schema, objects);
  if (object) return { fields: [], variants: [], object };
  const item = schema.items && placeOf(schema.items, objects);
  return item ? { fields: [], variants: [], object: item, list: true } : treeOf(document, schema, objects);
}

/** The fields and forms of a schema that is an object, a list of objects, or one of several of them. */
function shapeOf(schema: Schema, scope: Scope): Tree {
  const { shape, inside } = opened(schema, scope);
  if (shape.items) return shapeOf(shape.items, inside);
  const parts = shape.allOf?.map((each) => shapeOf(each, inside)) ?? [];
  const own = fieldsOf(shape, inside);
  const forms = (shape.oneOf ?? shape.anyOf ?? []).filter((each) => each.type !== 'null');
  const [only] = forms;
  if (forms.length === 1 && only) parts.push(shapeOf(only, inside));
  const variants = forms.length > 1 ? variantsOf(forms, shape, inside) : [];
  const map = typeof shape.additionalProperties === 'object' ? shapeOf(shape.additionalProperties, inside) : undefined;
  return {
    fields: [...own, ...parts.flatMap(({ fields }) => fields), ...(map && own.length === 0 ? map.fields : [])],
    variants: [...variants, ...parts.flatMap((each) => each.variants)],
  };
}

/** A schema behind its reference. A component within itself has no fields again. */
function opened(schema: Schema, scope: Scope): { readonly shape: Schema; readonly inside: Scope } {
  if (schema.$ref === undefined) return { shape: schema, inside: scope };
  const name = nameOf(schema.$ref);
  if (scope.above.includes(name)) return { shape: {}, inside: scope };
  return { shape: resolved(scope.document, schema), inside: { ...scope, above: [...scope.above, name] } };
}

const fieldsOf = ({ properties = {}, required = [] }: Schema, scope: Scope): readonly Field[] =>
  Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name), scope));

function variantsOf(forms: readonly Schema[], { discriminator }: Schema, scope: Scope): readonly Variant[] {
  return forms.flatMap((form) => {
    const { shape, inside } = opened(form, scope);
    if (!shape.properties && !shape.allOf && !shape.oneOf && !shape.anyOf) return [];
    const { fields, variants } = shapeOf(shape, inside);
    return [{ title: titleOf(form, shape, discriminator?.propertyName), fields }, ...variants];
  });
}

/** What a form is told apart by, such as `type: redirect`; else its name, or the fields that it must have. */
function titleOf({ $ref }: Schema, { properties = {}, required = [] }: Schema, told = 'type'): string {
  const word = properties[told]?.const ?? properties[told]?.enum?.[0];
  if (word !== undefined) return `${told}: ${String(word)}`;
  if ($ref !== undefined) return nameOf($ref);
  return required.length > 0 ? `with ${required.join(', ')}` : 'otherwise';
}

function fieldOf(name: string, schema: Schema, isRequired: boolean, scope: Scope): Field {
  const object = linkedObject(schema, scope.objects);
  const core = coreOf(schema, scope.document);
  const { fields, variants } = object === undefined ? shapeOf(schema, scope) : { fields: [], variants: [] };
  return {
    name,
    type: typeText(schema, scope.document),
    isRequired,
    isDeprecated: schema.deprecated === true,
    description: schema.description ?? core.description ?? '',
    limits: limitsOf(core, schema),
    values: (core.enum ?? core.items?.enum ?? []).filter((value) => value !== null).map(String),
    object,
    fields,
    variants,
  };
}

const placeOf = ({ $ref }: Schema, objects: ObjectPlaces): ObjectPlace | undefined =>
  $ref === undefined ? undefined : objects.get(nameOf($ref));

/** The component with a place of its own that a field, or each item of it, is. */
function linkedObject(schema: Schema, objects: ObjectPlaces): ObjectPlace | undefined {
  const candidates = [schema, ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return candidates.flatMap((each) => placeOf(each, objects) ?? [])[0];
}

/** A schema without its reference, and without "or null". */
function coreOf(schema: Schema, document: ApiDescription): Schema {
  const shape = resolved(document, schema);
  const forms = (shape.anyOf ?? shape.oneOf ?? []).filter((each) => each.type !== 'null');
  const [only] = forms;
  const inner = forms.length === 1 && only ? { ...coreOf(only, document), ...described(shape) } : shape;
  return inner.items ? { ...inner, items: resolved(document, inner.items) } : inner;
}

const described = ({ description }: Schema): Schema => (description === undefined ? {} : { description });

const PLURALS: Readonly<Record<string, string>> = { object: 'objects', string: 'strings', integer: 'integers' };

/** The type in words. */
export function typeText(schema: Schema, document: ApiDescription): string {
  const shape = resolved(document, schema);
  if (shape.not) return 'not allowed';
  const forms = shape.anyOf ?? shape.oneOf;
  if (forms) return unique(forms.map((each) => typeText(each, document))).join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (Array.isArray(shape.type)) return unique(shape.type.map((type) => plainType({ ...shape, type }))).join(' or ');
  if (shape.items) {
    const item = typeText(shape.items, document);
    return `array of ${PLURALS[item] ?? item}`;
  }
  return plainType(shape);
}

function plainType({ type, properties, allOf, additionalProperties }: Schema): string {
  if (typeof type === 'string' && type !== 'object') return type;
  const isMap = typeof additionalProperties === 'object' && !properties && Object.keys(additionalProperties).length > 0;
  if (isMap) return 'object of named values';
  return type === 'object' || properties || allOf ? 'object' : 'any';
}

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)];

/** What a value must keep to. */
function limitsOf(core: Schema, schema: Schema): readonly string[] {
  const { format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = core;
  const fallback = schema.default ?? core.default;
  return [
    ...(format === undefined ? [] : [format]),
    ...range(minLength, maxLength, 'characters'),
    ...range(minimum, maximum, ''),
    ...range(minItems, maxItems, 'items'),
    ...(pattern === undefined || format !== undefined ? [] : [`matches \`${pattern}\``]),
    ...(fallback === undefined ? [] : [`default \`${JSON.stringify(fallback)}\``]),
  ];
}

function range(min: number | undefined, max: number | undefined, unit: string): readonly string[] {
  const words = (text: string): readonly string[] => [`${text} ${unit}`.trim()];
  const isOpen = max === undefined || max >= Number.MAX_SAFE_INTEGER;
  if (min !== undefined && min > -Number.MAX_SAFE_INTEGER) {
    if (!isOpen) return words(min === max ? `${min}` : `${min} to ${max}`);
    return words(`at least ${min}`);
  }
  return isOpen ? [] : words(`at most ${max}`);
}
