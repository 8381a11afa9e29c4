import type { ClientMethod } from '#lib/client/operations.ts';
import {
  type ApiDescription,
  type Endpoint,
  exampleOf,
  jsonOf,
  type Media,
  type Parameter,
  resolved,
} from '#lib/reference/api-description.ts';
import { SAMPLE_KEY, type Sample } from '#lib/reference/page.model.ts';
import { placeholderFor, withPlaceholders } from '#lib/reference/placeholders.ts';
import { PAGE_PLACES } from '#shared/domain/reference/page-places.catalog.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One request of an operation, made from the document's examples. Placeholders stand for what only the reader knows. */
type Call = {
  readonly endpoint: Endpoint;
  /** By the names of the path's parameters. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

function callOf(document: ApiDescription, endpoint: Endpoint): Call {
  const { parameters, requestBody } = endpoint;
  const inPath = parameters.filter((each) => each.in === 'path');
  const inQuery = parameters.filter((each) => each.in === 'query' && (each.required || each.example !== undefined));
  const body = bodyOf(document, jsonOf(requestBody));
  return {
    endpoint,
    ids: withPlaceholders(Object.fromEntries(inPath.map((each) => [each.name, idFor(each)]))),
    query: Object.fromEntries(inQuery.map((each) => [each.name, exampleFor(each) ?? placeholderFor(each)])),
    body: body === undefined ? undefined : withPlaceholders(body),
  };
}

const exampleFor = ({ example, schema }: Parameter): unknown => example ?? schema?.example;

/** An example of an id tells its kind. Any other text in a path is a name that only the reader knows. */
function idFor(parameter: Parameter): string {
  const example = String(exampleFor(parameter) ?? '');
  return withPlaceholders(example) === example ? placeholderFor(parameter) : example;
}

/** Without times that may be left out: those of a recorded request have passed. */
function bodyOf(document: ApiDescription, media: Media | undefined): unknown {
  const example = exampleOf(document, media);
  if (!isObject(example)) return example;
  const { required = [] } = resolved(document, media?.schema ?? {});
  return Object.fromEntries(
    Object.entries(example).filter(([name, value]) => required.includes(name) || !isTime(value)),
  );
}

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** `payfork` where the operation has a method in the client. */
export function samplesOf(document: ApiDescription, endpoint: Endpoint, method: ClientMethod | undefined): Sample[] {
  const call = callOf(document, endpoint);
  const curl: Sample = { language: 'sh', label: 'curl', code: curlOf(call) };
  return method ? [curl, { language: 'ts', label: 'TypeScript', code: clientCall(call, method) }] : [curl];
}

/** Who the request is from: in curl, and as an option of the client. */
type Credential = { readonly headers: readonly string[]; readonly option: string };

const PUBLIC_KEY = 'pk_sandbox_YOUR_PUBLIC_KEY';
const keyCredential = (key: string): Credential => ({
  headers: [`-H "Authorization: Bearer ${key}"`],
  option: `key: '${key}'`,
});
/** Of the browser that the client runs in. */
const SESSION: Credential = {
  headers: ['-H "Cookie: service_session=YOUR_SESSION"', '-H "X-Org-Id: YOUR_ORGANIZATION"'],
  option: "session: true,\n  orgId: 'YOUR_ORGANIZATION'",
};
const NOBODY: Credential = { headers: [], option: 'session: true' };

/** The first way that the operation accepts. */
function credentialOf({ endpoint: { security = [] } }: Call): Credential {
  const ways = security.flatMap((each) => Object.keys(each));
  if (security.every(isEmpty)) return NOBODY;
  if (ways.some((way) => /bearer|secret|servicekey/i.test(way))) return keyCredential(SAMPLE_KEY);
  return ways.some((way) => /public/i.test(way)) ? keyCredential(PUBLIC_KEY) : SESSION;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
const hasKey = ({ parameters }: Endpoint): boolean =>
  parameters.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key');

function curlOf(call: Call): string {
  const { endpoint, body } = call;
  const { method } = endpoint;
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => call.ids[name] ?? name);
  const query = new URLSearchParams(textsOf(call.query)).toString();
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  const lines = [
    `curl ${isPlain ? '' : `-X ${method} `}"${PAGE_PLACES.api}${path}${query && `?${query}`}"`,
    ...credentialOf(call).headers,
    ...(hasKey(endpoint) ? [`-H "Idempotency-Key: ${newKeyFor(endpoint)}"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${shellText(body)}'`]),
  ];
  return lines.join(' \\\n  ');
}

/** Another one each time: a reader copies it, changes the request, and runs it again. */
const newKeyFor = ({ operationId }: Endpoint): string => `${operationId}-$(date +%s)`;

const textsOf = (query: Call['query']): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

/** JSON within single quotes of a shell. */
const shellText = (body: unknown): string =>
  JSON.stringify(body, null, 2).replaceAll("'", `'\\''`).replaceAll('\n', '\n  ');

const setupOf = ({ option }: Credential): string => `import { Payfork } from 'payfork';

const payfork = new Payfork({
  baseUrl: '${PAGE_PLACES.api}',
  ${option},
});`;

function clientCall(request: Call, { group, name, list, ...method }: ClientMethod): string {
  const { ids, query, body } = request;
  const input = body ?? (isEmpty(query) ? undefined : query);
  const given = [
    ...method.ids.map((id) => literal(ids[id] ?? id)),
    ...(input === undefined ? [] : [literal(input)]),
  ].join(', ');
  const call = `payfork.${group}.${name}(${given})`;
  return `${setupOf(credentialOf(request))}\n${list ? `for await (const item of ${call}) {\n  console.log(item);\n}` : resultOf(call)}`;
}

const resultOf = (call: string): string => `const result = await ${call};\nconsole.log(result);`;

const INDENT = '  ';
const MAX_LINE = 60;

/** A value as a person writes it in TypeScript. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = indent + INDENT;
  const entries = Array.isArray(value)
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(([name, each]) => `${keyText(name)}: ${literal(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  if (entries.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${entries.join(', ')}${close}`;
  if (!line.includes('\n') && line.length + indent.length <= MAX_LINE) return line;
  return `${open.trim()}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close.trim()}`;
}

const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
