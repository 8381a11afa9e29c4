import type { ZodOpenApiOverride } from 'zod-openapi';

/** Removes zod's internal formats, which say nothing to readers, and rules that apply to requests only. */
export const tidySchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  const { type, catchall } = zodSchema._zod.def as { readonly type: string; readonly catchall?: unknown };
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (type === 'record' && JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}')
    delete jsonSchema.propertyNames;
  if (type === 'readonly') delete jsonSchema.readOnly;
  if (io === 'input') return;
  delete jsonSchema.default;
  // Responses may gain fields: a client that rejects unknown ones would break.
  if (type === 'object' && catchall === undefined) delete jsonSchema.additionalProperties;
};

type Json = { readonly [key: string]: unknown };

const INTEGER_FIELDS: ReadonlySet<string> = new Set([
  ...['amount', 'amount_refunded', 'max_amount', 'total_amount'],
  ...[
    'limit',
    'offset',
    'total',
    'attempts',
    'max_retries',
    'max_payments',
    'payments_made',
    'recommended_duration',
    'health_score',
    'alg',
  ],
  ...['latency_ms', 'avg_latency_ms', 'latency_diff', 'duration_ms', 'timeout'],
]);
const DATE_TIME_FIELD = /(_at|_start|_end)$|^(at|since|until)$/;

/** Adds formats that reply schemas lack, by the names of fields: `…_at` is a date-time. */
export function addFormats(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(addFormats);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'properties' ? formatProperties(value as Json) : addFormats(value),
    ]),
  );
}

const formatProperties = (shapes: Json): Json =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, formatByName(name, addFormats(shape) as Json)]),
  );

function formatByName(name: string, shape: Json): Json {
  if (Array.isArray(shape.anyOf)) return { ...shape, anyOf: shape.anyOf.map((each: Json) => formatByName(name, each)) };
  const types = [shape.type].flat();
  if (DATE_TIME_FIELD.test(name) && types.includes('string')) return { ...shape, format: 'date-time' };
  if (INTEGER_FIELDS.has(name) && types.includes('number'))
    return { ...shape, type: Array.isArray(shape.type) ? types.map(toInteger) : 'integer' };
  return shape;
}

const toInteger = (type: unknown): unknown => (type === 'number' ? 'integer' : type);
