import {
  componentIn,
  isObject,
  type Json,
  mapValues,
  refTo,
  schemasOf,
  withSchemas,
} from '#functions/openapi/structure/json.ts';
import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/** Properties of responses whose text is one of a list, by their names. */
const CODES: Readonly<Record<string, string>> = { currency: 'CurrencyCode', country: 'CountryCode' };

/**
 * Lists of currencies and countries. Responses show them in upper case; requests take any case, which an enumeration
 * cannot say, so that their words name the list.
 */
export function withCodes(document: OpenApiDocument, methods: readonly string[]): OpenApiDocument {
  const shown = mapValues(schemasOf(document), withListedCodes);
  const known = methods.map((method) => `\`${method}\``).join(', ');
  return withSchemas(document, {
    ...shown,
    CurrencyCode: { type: 'string', enum: Object.keys(CURRENCIES), description: 'A currency of ISO 4217.' },
    CountryCode: { type: 'string', enum: [...COUNTRIES], description: 'A country of ISO 3166-1 alpha-2.' },
    Currency: saying(shown, 'Currency', 'A currency of ISO 4217: one of `CurrencyCode`, in any case.'),
    Country: saying(shown, 'Country', 'A country of ISO 3166-1 alpha-2: one of `CountryCode`, in any case.'),
    Method: saying(shown, 'Method', `A payment method. Providers offer these, each some of them: ${known}.`),
  });
}

const saying = (schemas: Json, name: string, description: string): Json => ({
  ...componentIn(schemas, name),
  description,
});

function withListedCodes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withListedCodes);
  if (!isObject(node)) return node;
  const inner = mapValues(node, withListedCodes);
  return isObject(inner.properties) ? { ...inner, properties: mapValues(inner.properties, listed) } : inner;
}

function listed(property: unknown, name: string): unknown {
  const code = CODES[name];
  if (code === undefined || !isObject(property)) return property;
  const { type, description: _, ...rules } = property;
  if (Object.keys(rules).length > 0) return property;
  if (type === 'string') return refTo(code);
  const isNullable = Array.isArray(type) && type.join() === 'string,null';
  return isNullable ? { anyOf: [refTo(code), { type: 'null' }] } : property;
}
