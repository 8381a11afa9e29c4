import {
  isObject,
  type Json,
  mapValues,
  pascalCase,
  refTo,
  schemasOf,
  withSchemas,
} from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/** The properties whose value says which shape an object has. */
const TAGS = ['type', 'kind'] as const;

/**
 * A component that is one of several shapes names the property that tells them apart, for generators. They demand that
 * each shape is a component: the one of `NextAction` whose `type` is `sdk` becomes `SdkNextAction`.
 */
export function withDiscriminators(document: OpenApiDocument): OpenApiDocument {
  const schemas = schemasOf(document);
  const made: Record<string, unknown> = {};
  const unions = mapValues(schemas, (schema, name) =>
    isObject(schema) ? discriminated(schema, name, schemas, made) : schema,
  );
  return withSchemas(document, { ...unions, ...made });
}

function discriminated(schema: Json, name: string, schemas: Json, made: Record<string, unknown>): Json {
  const { oneOf, discriminator, type: _, ...others } = schema;
  if (!Array.isArray(oneOf) || discriminator !== undefined) return schema;
  const tag = TAGS.find((each) => oneOf.every((shape) => tagValue(shape, each, schemas) !== undefined));
  if (tag === undefined) return schema;
  const mapping = oneOf.map((shape: Json) => {
    const value = tagValue(shape, tag, schemas) ?? '';
    if (typeof shape.$ref === 'string') return [value, shape.$ref] as const;
    const component = `${pascalCase(value)}${name}`;
    made[component] = shape;
    return [value, refTo(component).$ref] as const;
  });
  return {
    ...others,
    oneOf: mapping.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: tag, mapping: Object.fromEntries(mapping) },
  };
}

/** The one value that a property has in a shape. */
function tagValue(shape: Json, tag: string, schemas: Json): string | undefined {
  const { $ref } = shape;
  const whole = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : shape;
  const properties = isObject(whole) && isObject(whole.properties) ? whole.properties : {};
  const property = properties[tag];
  return isObject(property) && typeof property.const === 'string' ? property.const : undefined;
}
