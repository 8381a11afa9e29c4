import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { ReceivedRequest } from '#test/contract/canned-server.ts';
import type { RequestCheck } from '#test/contract/openapi-check.ts';

const DOCUMENT = new URL('../../../shared/psp-specs/checkout.nas-2022-07.openapi.json', import.meta.url);

type Schema = { readonly [key: string]: unknown };
type Properties = Readonly<Record<string, Schema>>;
type Whole = {
  readonly type?: unknown;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
};
type Operation = { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** What has come since the document of 2022; the names are those of the official library of 2026. */
const LOCAL: Readonly<Record<string, Properties>> = {
  ideal: { description: { type: 'string', maxLength: 35 }, language: { type: 'string' } },
  bancontact: {
    payment_country: { type: 'string' },
    account_holder_name: { type: 'string' },
    billing_descriptor: { type: 'string' },
  },
  eps: { purpose: { type: 'string' } },
  knet: { language: { type: 'string' } },
};
const PAGE_METHODS =
  'card applepay googlepay sofort ideal knet bancontact p24 multibanco alipay_hk alipay_cn gcash eps sepa'.split(' ');
const KEPT: Schema = {
  type: 'object',
  properties: { store_payment_details: { enum: ['disabled', 'enabled', 'collect_consent'] } },
  additionalProperties: false,
};
const SINCE_THEN: Readonly<Record<string, Properties>> = {
  '/payments': {
    description: { type: 'string', maxLength: 100 },
    payment_type: { enum: ['Regular', 'Recurring', 'MOTO', 'Installment', 'PayLater', 'Unscheduled'] },
  },
  // The document means a list of these, and writes a list that is one of these.
  '/hosted-payments': {
    description: { type: 'string', maxLength: 100 },
    allow_payment_methods: { type: 'array', items: { enum: PAGE_METHODS } },
    payment_method_configuration: {
      type: 'object',
      properties: { card: KEPT, applepay: KEPT, googlepay: KEPT },
      additionalProperties: false,
    },
  },
};

/**
 * The document tells sources apart by their type in a way that plain JSON Schema has not; it lacks the look-up by
 * reference altogether.
 */
export function checkoutCheck(): RequestCheck {
  const document: Document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const { schemas } = document.components;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const bodies = Object.entries(document.paths).flatMap(([path, item]) => {
    const schema = item.post?.requestBody?.content['application/json']?.schema;
    return schema ? [[path, schema] as const] : [];
  });
  const validators = bodies.map(([path, schema]) => {
    const known = path === '/payments' ? { $ref: '#/components/schemas/PaymentRequest' } : schema;
    const body = whole(known, schemas);
    const source = path === '/payments' && { source: sourceSchema(schemas) };
    return {
      path,
      validate: ajv.compile(
        closed({ ...body, properties: { ...body.properties, ...source, ...SINCE_THEN[path] } }, schemas),
      ),
    };
  });
  return (request) => {
    const template = Object.keys(document.paths).find((path) =>
      new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(request.path),
    );
    if (template === undefined) return [`${request.path}: no such path`];
    const faults =
      request.method === 'GET'
        ? queryFaults(request)
        : (validators.find(({ path }) => path === template)?.validate ?? noBody);
    if (typeof faults !== 'function') return faults.map((fault) => `${request.method} ${request.path}: ${fault}`);
    if (faults(JSON.parse(request.body)) && request.headers['content-type'] === 'application/json')
      return keyFaults(request);
    return (faults.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `POST ${request.path}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

const noBody = Object.assign(() => false, {
  errors: [{ instancePath: '', message: 'no body is expected', params: {} }],
});

const queryFaults = ({ path, query }: ReceivedRequest): readonly string[] =>
  [...query.keys()]
    .filter((name) => path !== '/payments' || !['reference', 'limit', 'skip'].includes(name))
    .map((name) => `query parameter ${name} is unknown`);

/** Pages take no key, and a void is not to bring back an earlier answer. */
const keyFaults = ({ path, headers }: ReceivedRequest): readonly string[] =>
  headers['cko-idempotency-key'] || path === '/hosted-payments' || path.endsWith('/voids')
    ? []
    : [`POST ${path} has no key`];

const named = (schema: Schema, schemas: Document['components']['schemas']): Schema =>
  typeof schema.$ref === 'string' ? named(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas) : schema;

/** One object of all that `allOf` puts together. */
function whole(schema: Schema, schemas: Document['components']['schemas']): Whole {
  const { allOf = [], ...own } = named(schema, schemas) as Whole;
  const parts = [...allOf.map((part) => whole(part, schemas)), own];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
  };
}

function sourceSchema(schemas: Document['components']['schemas']): Schema {
  const { discriminator } = schemas.PaymentRequestSource as { discriminator: { mapping: Record<string, string> } };
  const documented = Object.entries(discriminator.mapping)
    .filter(([type]) => !(type in LOCAL))
    .map(([type, $ref]) => ofType(type, whole({ $ref }, schemas)));
  return {
    anyOf: [
      ...documented,
      ...Object.entries(LOCAL).map(([type, properties]) => ofType(type, { type: 'object', properties })),
    ],
  };
}

const ofType = (type: string, { properties, required = [] }: Whole): Schema => ({
  type: 'object',
  properties: { ...properties, type: { const: type } },
  required: [...new Set([...required, 'type'])],
});

/** Nothing is allowed that the document doesn't name. */
function closed(node: unknown, schemas: Document['components']['schemas']): Schema {
  const walk = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    const at = named(each as Schema, schemas);
    const joined = 'allOf' in at ? whole(at, schemas) : at;
    const inner: Schema = Object.fromEntries(Object.entries(joined).map(([key, child]) => [key, walk(child)]));
    const shut =
      inner.type === 'object' &&
      Object.keys(inner.properties ?? {}).length > 0 &&
      inner.additionalProperties === undefined;
    return shut ? { ...inner, additionalProperties: false } : inner;
  };
  return walk(node) as Schema;
}
