import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { COMMON_HEADERS } from '#shared/http/openapi/components.ts';
import { documentedErrors } from '#shared/http/openapi/documented-errors.ts';
import { routeMatcher } from '#shared/http/route-match.ts';
import { ERROR_CODES } from '#shared/kernel/errors.ts';
import { apiDocument } from '#test/support/api-document.ts';

type Json = { readonly [key: string]: unknown };
type Content = Readonly<Record<string, { readonly schema: object }>>;
type Response = { readonly $ref?: string; readonly headers?: Json; readonly content?: Content };
type Responses = Readonly<Record<string, Response>>;
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
};
type Operation = {
  readonly 'x-error-codes'?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly object[];
  readonly responses: Responses;
};
type Components = {
  readonly responses: Responses;
  readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
};

export type SeenResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
};
type ResponseCheck = (method: string, address: string, answer: SeenResponse) => void;

/** Made from the current routes, once per test file. */
let check: Promise<ResponseCheck> | undefined;
export const responseCheck = (): Promise<ResponseCheck> => {
  check ??= apiDocument().then((document) => makeCheck(document as Document));
  return check;
};

/** Throws for a response that the OpenAPI document does not list, or that differs from it. */
function makeCheck(document: Document): ResponseCheck {
  const ajv = closedAjv(document);
  const lines = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const match = routeMatcher(lines);
  const compiled = new Map<string, ValidateFunction>();

  function faultsOf(method: string, path: string, answer: SeenResponse): readonly string[] {
    const operation = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    const { responses } = operation;
    const key = [String(answer.status), `${String(answer.status).charAt(0)}XX`].find((name) => responses[name]);
    if (key === undefined) return [`the status is not in the document${HINT}`];
    const pointer = responses[key]?.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${key}`;
    const response = responseAt(document, responses[key]);
    const withoutLocation =
      answer.status === 201 && response.headers?.Location && !answer.headers.has('location')
        ? ['the header Location is missing']
        : [];
    return [
      ...headerFaults(answer.headers, response, document.components, takesKey(operation)),
      ...withoutLocation,
      ...codeFaults(answer, documentedErrors(operation, document)),
      ...bodyFaults(answer, response.content, pointer),
    ];
  }

  function bodyFaults(
    { headers, body }: SeenResponse,
    content: Content | undefined,
    pointer: string,
  ): readonly string[] {
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (!content) return [];
    if (!content[type]) return [`the document has no body of type ${type}`];
    if (type !== 'application/json') return [];
    const place = `api${pointer}/content/${escaped(type)}/schema`;
    const validate = compiled.get(place) ?? ajv.compile({ $ref: place });
    compiled.set(place, validate);
    return schemaFaults(validate, body);
  }

  return (method, address, answer) => {
    if (isFromGateway(answer)) return;
    const [path = ''] = address.split('?');
    const line = match(method, path)?.line;
    const faults = line ? faultsOf(method, line.path, answer) : faultsOfUndocumented(answer);
    if (faults.length > 0)
      throw new Error(
        `${method} ${line?.path ?? path} answered ${answer.status} ${codeOf(answer)}:\n${listed(faults)}`,
      );
  };
}

function closedAjv(document: Document): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  return ajv.addSchema({ ...closedDocument(document), $id: 'api' });
}

function schemaFaults(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}

/** The same for what is not a response: how a value differs from a component of the document. */
export async function componentCheck(name: string): Promise<(value: unknown) => readonly string[]> {
  const validate = closedAjv((await apiDocument()) as Document).compile({ $ref: `api#/components/schemas/${name}` });
  return (value) => schemaFaults(validate, value);
}

/** An error's code stands at the operation, or where its credentials and parameters list theirs. */
function codeFaults(answer: SeenResponse, documented: readonly string[]): readonly string[] {
  const code = codeOf(answer);
  if (answer.status < 400 || code === '') return [];
  const known: Readonly<Record<string, { readonly status: number }>> = ERROR_CODES;
  const isOther = known[code]?.status !== answer.status;
  return [
    ...(documented.includes(code) ? [] : [`the code is not in the document${HINT}`]),
    ...(isOther ? ['the code has another status'] : []),
  ];
}

/** A union names what each of its cases lacks: the first ones are enough, and what the whole lacks comes last. */
const MAX_FAULTS = 12;
const listed = (faults: readonly string[]): string =>
  (faults.length <= MAX_FAULTS ? faults : [...faults.slice(0, MAX_FAULTS), '...', ...faults.slice(-2)]).join('\n');

const HINT = '; what a use case may fail with stands in `errors` on its route line';

/** Timestamps have this project's own format. */
const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: true,
  ipv4: true,
  ipv6: true,
  uri: true,
} as const;

const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));

function responseAt({ components }: Document, response: Response | undefined): Response {
  const name = response?.$ref?.split('/').at(-1);
  return (name === undefined ? response : components.responses[name]) ?? {};
}

/** These say something, so an answer that has them must be documented to have them. */
const DOCUMENTED_WHERE_SENT = ['location', 'link', 'retry-after', 'idempotency-replayed'];

/** Its words say that a stored response is marked. */
const takesKey = ({ parameters = [] }: Operation): boolean =>
  parameters.some((parameter) => /parameters\/(Optional)?IdempotencyKey"/.test(JSON.stringify(parameter)));

function headerFaults(
  headers: Headers,
  { headers: documented = {} }: Response,
  components: Components,
  isKeyed: boolean,
): readonly string[] {
  const names = [...Object.keys(documented), ...(isKeyed ? ['Idempotency-Replayed'] : [])];
  const required = names.filter((name) => components.headers[name]?.required);
  const missing = [...new Set([...COMMON_HEADERS, ...required])].filter((name) => !headers.has(name));
  const undocumented = DOCUMENTED_WHERE_SENT.filter(
    (name) => headers.has(name) && !names.some((known) => known.toLowerCase() === name),
  );
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...undocumented.map((name) => `the document does not name its header ${name}`),
  ];
}

/** API Gateway's own responses are not part of the document. */
const isFromGateway = ({ status, body }: SeenResponse): boolean =>
  (status === 413 || status === 503) && Object.keys(Object(body)).join() === 'message';

const codeOf = ({ body }: SeenResponse): string => String(Object(body).code ?? '');
const UNDOCUMENTED = ['404 route_not_found', '405 method_not_allowed'];
const faultsOfUndocumented = (answer: SeenResponse): readonly string[] =>
  UNDOCUMENTED.includes(`${answer.status} ${codeOf(answer)}`)
    ? []
    : ['only unknown routes may be missing in the document'];

/**
 * The document lets responses gain fields; in tests an undocumented field is a fault. Where schemas are combined, each
 * knows only its own fields, so the whole is closed instead, over parts that are left open.
 */
function closedDocument(document: Document): object {
  const { schemas = {} } = document.components as { readonly schemas?: Json };
  const opened = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(schema)]));
  return { ...(closed(document) as object), open: opened };
}

const isOpen = ({ type, properties, additionalProperties }: Json): boolean =>
  type === 'object' && properties !== undefined && additionalProperties === undefined;

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const { allOf, ...rest } = node as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, closed(child)]));
  if (Array.isArray(allOf)) return { ...inner, allOf: allOf.map(open), unevaluatedProperties: false };
  return { ...inner, ...(isOpen(inner) && { additionalProperties: false }) };
}

/** As a part of a whole: only what is in its own fields is closed. */
function open(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node as Json).map(([key, child]) => {
      if (key === '$ref') return [key, String(child).replace('#/components/schemas/', '#/open/')];
      if (key === 'allOf' || key === 'oneOf' || key === 'anyOf') return [key, (child as unknown[]).map(open)];
      return [key, closed(child)];
    }),
  );
}
