import { isObject, type Json, mapValues, schemasOf, withSchemas } from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

const DAY = { pattern: '^\\d{4}-\\d{2}-\\d{2}' } as const;
const ADDRESS = { format: 'uri', pattern: '^https?://' } as const;
const STATEMENT = { pattern: '^[ -!#-&()+-;=?-\\[\\]-~]*$' } as const;

/**
 * What the API checks with rules of its own and a schema can say, by component or property. A line that forbids what
 * the API takes makes the walk through the document fail.
 */
const RULES: Readonly<Record<string, Json>> = {
  'Browser.origin': { pattern: '^https?://[^/?#]+$' },
  'ConfigureWebhook.url': ADDRESS,
  'Contact.phone': { pattern: '^\\+[0-9 ().\\-/]{6,40}$' },
  'CreatePaymentLink.methods': { uniqueItems: true },
  'CreatePaymentMethod.tokens': { minProperties: 1 },
  DisputeEvidence: { minProperties: 1 },
  'IntegrationConfig.url': ADDRESS,
  'OrderRoutingRules.rules': { uniqueItems: true },
  Prove: { minProperties: 1, maxProperties: 1 },
};

/** The same, for properties of any request that have these names, and for parameters. */
const BY_NAME: Readonly<Record<string, Json>> = {
  statement_descriptor: STATEMENT,
  statement_descriptor_suffix: STATEMENT,
};
const PARAMETERS: Readonly<Record<string, Json>> = { from: DAY, to: DAY };

export function withRules(document: OpenApiDocument): OpenApiDocument {
  const schemas = schemasOf(document);
  for (const place of Object.keys(RULES)) assertThere(schemas, place);
  const ruled = mapValues(schemas, (schema, name) => (isObject(schema) ? ruledSchema(schema, name) : schema));
  const paths = mapValues(document.paths ?? {}, (item) => mapValues(item as Json, ruledOperation));
  return withSchemas({ ...document, paths: paths as OpenApiDocument['paths'] }, ruled);
}

function ruledSchema(schema: Json, component: string): Json {
  const { properties } = schema;
  const own = { ...schema, ...RULES[component] };
  if (!isObject(properties)) return own;
  const isRequest = schema.additionalProperties === false;
  const ruled = mapValues(properties, (property, name) => {
    const rule = RULES[`${component}.${name}`] ?? (isRequest ? BY_NAME[name] : undefined);
    return rule && isObject(property) ? { ...property, ...rule } : property;
  });
  return { ...own, properties: ruled };
}

function ruledOperation(operation: unknown): unknown {
  if (!isObject(operation) || !Array.isArray(operation.parameters)) return operation;
  const parameters = operation.parameters.map((parameter: Json) => {
    const rule = parameter.in === 'query' ? PARAMETERS[String(parameter.name)] : undefined;
    return rule ? { ...parameter, schema: { ...(parameter.schema as Json), ...rule } } : parameter;
  });
  return { ...operation, parameters };
}

function assertThere(schemas: Json, place: string): void {
  const [component = '', property] = place.split('.');
  const schema = schemas[component];
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  if (!isObject(schema) || (property !== undefined && !(property in properties)))
    throw new Error(`There is no ${place}: functions/openapi/structure/rules.ts names it.`);
}
