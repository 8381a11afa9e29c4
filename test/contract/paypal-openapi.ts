import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { ReceivedRequest } from '#test/contract/canned-server.ts';
import type { RequestCheck } from '#test/contract/openapi-check.ts';

const SPECS = new URL('../../../shared/psp-specs/', import.meta.url);
const FILES = ['checkout_orders_v2', 'payments_payment_v2', 'notifications_webhooks_v1'];

type Node = { readonly [key: string]: unknown };
type Operation = {
  readonly parameters?: readonly Node[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
    readonly parameters?: Readonly<Record<string, Node>>;
  };
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A word of the list is longer than the document's own limit (`GUEST_CHECKOUT`, 13): the list counts. */
const listed = ({ maxLength: _, ...own }: Node): Node => own;

/**
 * PayPal composes its objects with `allOf`, in which no part may forbid what another names: all are merged into one
 * before what the document does not name is forbidden.
 */
function whole(node: unknown, { components }: Document, depth = 0): Node {
  if (!isNode(node) || depth > 24) return {};
  if (typeof node.$ref === 'string')
    return whole(components.schemas[node.$ref.split('/').at(-1) ?? ''], { components, paths: {} }, depth + 1);
  const { allOf, properties, items, ...given } = node;
  const own = given.enum ? listed(given) : given;
  const inner = (value: unknown) => whole(value, { components, paths: {} }, depth + 1);
  const parts = (Array.isArray(allOf) ? allOf : []).map(inner);
  const named = isNode(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value)]))
    : undefined;
  const merged: Node = {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
  };
  const all = { ...Object(merged.properties), ...named };
  const isObject = Object.keys(all).length > 0;
  return {
    ...merged,
    ...own,
    ...(isObject && { properties: all, additionalProperties: false }),
    ...(isNode(items) && { items: inner(items) }),
  };
}

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);

function headerFaults(
  { headers }: ReceivedRequest,
  { parameters = [] }: Operation,
  { components }: Document,
  ajv: Ajv,
): readonly string[] {
  const resolved = parameters.map((parameter) =>
    typeof parameter.$ref === 'string'
      ? (components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] ?? {})
      : parameter,
  );
  const sent = ['prefer', 'paypal-request-id', 'paypal-auth-assertion', 'paypal-client-metadata-id'].filter(
    (name) => headers[name] !== undefined,
  );
  return sent.flatMap((name) => {
    const known = resolved.find(
      (parameter) => parameter.in === 'header' && String(parameter.name).toLowerCase() === name,
    );
    if (!known) return [`header ${name} is unknown`];
    return ajv.validate(Object(known.schema), headers[name]) ? [] : [`header ${name} is malformed`];
  });
}

const LOGIN = '/v1/oauth2/token';

/** Not in any of the documents; the form is RFC 6749's, § 4.4. */
function loginFaults({ method, headers, body }: ReceivedRequest): readonly string[] {
  const fits =
    method === 'POST' &&
    headers['content-type'] === 'application/x-www-form-urlencoded' &&
    body === 'grant_type=client_credentials';
  return fits && /^Basic \S+$/.test(headers.authorization ?? '') ? [] : ['the login is malformed'];
}

const word = (...values: readonly string[]): Node => ({ type: 'string', enum: values });
/**
 * What PayPal's documents of 2024 lack and its own libraries of 2026 have: a card's verification, who wants an account
 * charged, and the payer's phone number without its calling code, of which the document says itself that it is not used.
 */
const NEWER: Readonly<Record<string, Node>> = {
  card_attributes: {
    verification: {
      type: 'object',
      properties: { method: word('SCA_ALWAYS', 'SCA_WHEN_REQUIRED') },
      required: ['method'],
    },
  },
  paypal_wallet: {
    phone: {
      type: 'object',
      properties: { phone_number: { type: 'object', properties: { national_number: { pattern: '^[0-9]{1,14}$' } } } },
      required: ['phone_number'],
    },
    stored_credential: {
      type: 'object',
      properties: { payment_initiator: word('CUSTOMER', 'MERCHANT'), usage: word('FIRST', 'SUBSEQUENT', 'DERIVED') },
      required: ['payment_initiator'],
    },
  },
};

function brought({ paths, components }: Document): Document {
  const schemas = Object.entries(components.schemas).map(([name, schema]): [string, Node] => {
    const added = NEWER[name];
    return [name, added ? { ...schema, properties: { ...Object(schema.properties), ...added } } : schema];
  });
  return { paths, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

/** Holds requests against the three documents that PayPal publishes of what we call. */
export function paypalCheck(): RequestCheck {
  const documents = FILES.map(
    (file): Document => brought(JSON.parse(readFileSync(new URL(`paypal.${file}.openapi.json`, SPECS), 'utf8'))),
  );
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
  const compiled = new Map<Operation, ValidateFunction>();
  return (request) => {
    const where = `${request.method} ${request.path}`;
    if (request.path === LOGIN) return loginFaults(request).map((fault) => `${where}: ${fault}`);
    const found = documents.flatMap((document) =>
      Object.entries(document.paths)
        .filter(([template]) => matches(template, request.path))
        .flatMap(([, item]) =>
          item[request.method.toLowerCase()] ? [{ document, operation: item[request.method.toLowerCase()]! }] : [],
        ),
    )[0];
    if (!found) return [`${where}: no such operation`];
    const { document, operation } = found;
    const schema = operation.requestBody?.content[request.headers['content-type'] ?? '']?.schema;
    const validate = compiled.get(operation) ?? (schema && ajv.compile(whole(schema, document)));
    if (validate) compiled.set(operation, validate);
    const faults = [
      ...headerFaults(request, operation, document, ajv),
      ...[...request.query.keys()].map((name) => `query parameter ${name} is unknown`),
    ];
    if (!/^Bearer \S+$/.test(request.headers.authorization ?? '')) faults.push('no access token');
    if (request.body !== '' && !validate) faults.push('no body of this type is expected');
    if (request.body !== '' && validate && !validate(JSON.parse(request.body)))
      faults.push(
        ...(validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        ),
      );
    return faults.map((fault) => `${where}: ${fault}`);
  };
}

/** The faults of an answer under a schema of one of the documents. */
export function paypalShapeFaults(
  file: 'checkout_orders_v2' | 'payments_payment_v2',
): (name: string, value: unknown) => readonly string[] {
  const document: Document = JSON.parse(readFileSync(new URL(`paypal.${file}.openapi.json`, SPECS), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
  return (name, value) => {
    const validate = ajv.compile(whole(document.components.schemas[name], document));
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${name}${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  };
}
