import { componentIn, isObject, type Json, refTo, schemasOf, withSchemas } from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/** Components that have all fields of another, and more. */
const EXTENDS: Readonly<Record<string, string>> = {
  PaymentIntent: 'Payment',
  ValidatedConnection: 'Connection',
  CreatedPaymentLink: 'PaymentLink',
  Dispute: 'DisputeSnapshot',
  PlatformRecovery: 'Recovery',
};

/** A component that extends another says only what it adds. */
export function withExtensions(document: OpenApiDocument): OpenApiDocument {
  const schemas = schemasOf(document);
  const changed = Object.entries(EXTENDS).map(([name, base]) => [
    name,
    extension(componentIn(schemas, name), componentIn(schemas, base), base),
  ]);
  return withSchemas(document, { ...schemas, ...Object.fromEntries(changed) });
}

function extension(schema: Json, base: Json, name: string): Json {
  const { properties, required, type, ...words } = schema;
  const inherited = isObject(base.properties) ? base.properties : {};
  const own = Object.entries(isObject(properties) ? properties : {}).filter(([field]) => !(field in inherited));
  const more = Array.isArray(required) ? required.filter((field) => !(field in inherited)) : [];
  return {
    ...words,
    allOf: [refTo(name), { type, properties: Object.fromEntries(own), ...(more.length > 0 && { required: more }) }],
  };
}
