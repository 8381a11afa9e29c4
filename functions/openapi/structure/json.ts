import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/** A part of the document, which is plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name of the document as a part of a component's name: `payment_link.paid` is `PaymentLinkPaid`. */
export const pascalCase = (text: string): string =>
  (text.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

export const refTo = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** A component that must be there: the document is made of shapes, and these tables name some of them. */
export function componentIn(schemas: Json, name: string): Json {
  const found = schemas[name];
  if (!isObject(found)) throw new Error(`The document has no component ${name}: functions/openapi/structure names it.`);
  return found;
}

export function propertyIn(schema: Json, name: string): Json {
  const { properties } = schema;
  const found = isObject(properties) ? properties[name] : undefined;
  if (!isObject(found)) throw new Error(`A component has no property ${name}: functions/openapi/structure names it.`);
  return found;
}

/** The words of a schema, for another one that takes its place. */
export const describing = ({ description }: Json): Json => (description === undefined ? {} : { description });

export const schemasOf = ({ components }: OpenApiDocument): Json => components?.schemas ?? {};

export const withSchemas = (document: OpenApiDocument, schemas: Json): OpenApiDocument => ({
  ...document,
  components: { ...document.components, schemas } as OpenApiDocument['components'],
});

export const mapValues = (all: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value, name)]));
