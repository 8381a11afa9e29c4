import type { ZodOpenApiOverride } from 'zod-openapi';

/** Zod's internal formats, which tell readers nothing, and rules that apply to requests only. */
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
  // Answers may gain fields: a client that refuses unknown ones would break.
  if (type === 'object' && catchall === undefined) delete jsonSchema.additionalProperties;
};

type Json = { readonly [key: string]: unknown };

const WHOLE: ReadonlySet<string> = new Set([
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
const MOMENT = /(_at|_start|_end)$|^(at|since|until)$/;

/** Reply schemas say little about texts and numbers; field names say more: `…_at` is a date-time. */
export function named(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(named);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'properties' ? properties(value as Json) : named(value)]),
  );
}

const properties = (shapes: Json): Json =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, byName(name, named(shape) as Json)]));

function byName(name: string, shape: Json): Json {
  if (Array.isArray(shape.anyOf)) return { ...shape, anyOf: shape.anyOf.map((each: Json) => byName(name, each)) };
  const types = [shape.type].flat();
  if (MOMENT.test(name) && types.includes('string')) return { ...shape, format: 'date-time' };
  if (WHOLE.has(name) && types.includes('number'))
    return { ...shape, type: Array.isArray(shape.type) ? types.map(whole) : 'integer' };
  return shape;
}

const whole = (type: unknown): unknown => (type === 'number' ? 'integer' : type);
