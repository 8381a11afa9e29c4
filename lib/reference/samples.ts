import type { ClientMethod } from '#lib/client/operations.ts';
import {
  type ApiDescription,
  type Endpoint,
  exampleOf,
  jsonOf,
  type Parameter,
  successOf,
} from '#lib/reference/api-description.ts';
import { SAMPLE_KEY, type Sample } from '#lib/reference/page.model.ts';
import { PAGE_PLACES } from '#shared/domain/reference/page-places.catalog.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One request of an operation, made from the document's examples. */
type Call = {
  readonly endpoint: Endpoint;
  /** By the names of the path's parameters. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

export function callOf(document: ApiDescription, endpoint: Endpoint): Call {
  const value = (parameter: Parameter): unknown => parameter.example ?? parameter.schema?.example;
  const inPath = endpoint.parameters.filter((each) => each.in === 'path');
  const asked = endpoint.parameters.filter((each) => each.in === 'query');
  const [, success] = successOf(endpoint) ?? [];
  const reply = exampleOf(document, jsonOf(success));
  const idOf = (parameter: Parameter): string => String(value(parameter) ?? idIn(reply) ?? parameter.name);
  const query = asked.filter((each) => each.required || each.example !== undefined);
  return {
    endpoint,
    ids: Object.fromEntries(inPath.map((each) => [each.name, idOf(each)])),
    query: Object.fromEntries(query.map((each) => [each.name, value(each) ?? each.name])),
    body: exampleOf(document, jsonOf(endpoint.requestBody)),
  };
}

const idIn = (reply: unknown): unknown => (isObject(reply) ? reply.id : undefined);

/** `payfork` where the operation has a method in the client. */
export function samplesOf(document: ApiDescription, endpoint: Endpoint, method: ClientMethod | undefined): Sample[] {
  const call = callOf(document, endpoint);
  const curl: Sample = { language: 'sh', label: 'curl', code: curlOf(call) };
  return method ? [curl, { language: 'ts', label: 'TypeScript', code: clientCall(call, method) }] : [curl];
}

/** Who the request is from, as the first way that the operation accepts. */
function credentialOf({ endpoint: { security = [] } }: Call): readonly string[] {
  const ways = security.flatMap((each) => Object.keys(each));
  if (security.every(isEmpty)) return [];
  if (ways.some((way) => /bearer|secret|servicekey/i.test(way))) return [`-H "Authorization: Bearer ${SAMPLE_KEY}"`];
  if (ways.some((way) => /public/i.test(way))) return ['-H "Authorization: Bearer pk_sandbox_YOUR_PUBLIC_KEY"'];
  return ['-H "Cookie: service_session=YOUR_SESSION"', '-H "X-Org-Id: YOUR_ORGANIZATION"'];
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
    ...credentialOf(call),
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

const SETUP = `import { Payfork } from 'payfork';

const payfork = new Payfork({
  baseUrl: '${PAGE_PLACES.api}',
  key: '${SAMPLE_KEY}',
});`;

function clientCall({ ids, query, body }: Call, { group, name, list, ...method }: ClientMethod): string {
  const input = body ?? (isEmpty(query) ? undefined : query);
  const given = [
    ...method.ids.map((id) => literal(ids[id] ?? id)),
    ...(input === undefined ? [] : [literal(input)]),
  ].join(', ');
  const call = `payfork.${group}.${name}(${given})`;
  return `${SETUP}\n${list ? `for await (const item of ${call}) {\n  console.log(item);\n}` : resultOf(call)}`;
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
