import { isDeepStrictEqual } from 'node:util';
import { isPayforkError, type Page, Payfork, type PayforkOptions } from '#client/typescript/src/index.ts';
import { methodsOf } from '#lib/client/client-files.ts';
import type { ClientMethod } from '#lib/client/operations.ts';
import { routeMatcher } from '#shared/http/route-match.ts';
import { apiDocument } from '#test/support/api-document.ts';
import { countRequest } from '#test/support/client-use.ts';
import type { ApiResponse } from '#test/support/host.ts';
import { type OrdinaryRequest, ordinaryRequest, type TestRequest } from '#test/support/ordinary-request.ts';

type Sent = { readonly request: TestRequest; readonly response: ApiResponse | undefined };
/** Undefined: no method of the client sends this request. */
type ThroughClient = (api: string, request: TestRequest) => Promise<ApiResponse | undefined>;
type Result = { readonly data?: unknown; readonly page?: Page<unknown, unknown>; readonly error?: unknown };

let prepared: Promise<ThroughClient> | undefined;

/** From the current routes, once per worker. */
export const throughClient = (): Promise<ThroughClient> => {
  prepared ??= apiDocument().then((document) => prepare(methodsOf(document)));
  return prepared;
};

const operationOf = ({ verb, path }: ClientMethod): string => `${verb} ${path}`;

function prepare(methods: readonly ClientMethod[]): ThroughClient {
  const all = methods.map(operationOf);
  const match = routeMatcher(methods.map((method) => ({ ...method, method: method.verb })));
  return async (api, request) => {
    const line = match(request.method, request.address.split('?')[0] ?? '')?.line;
    const ordinary = line && ordinaryRequest(request, line);
    countRequest(ordinary && operationOf(line), all);
    return ordinary && callMethod(api, request, ordinary, line);
  };
}

async function callMethod(
  baseUrl: string,
  request: TestRequest,
  { ids, input, credential, options, headers }: OrdinaryRequest,
  line: ClientMethod,
): Promise<ApiResponse> {
  const sent: { current: Sent } = { current: { request, response: undefined } };
  const limits = { baseUrl, maxRetries: 0, timeoutMs: 300_000, fetch: recordingFetch(sent, line, headers) };
  const client = new Payfork({ ...credential, ...limits } as PayforkOptions);
  const result = await resultOf(client, line, [...ids, input, options]);
  const { response } = sent.current;
  // As a test that sends the request itself learns it.
  if (!response) throw isPayforkError(result.error) ? result.error.cause : result.error;
  assertTold(result, response, line);
  return response;
}

async function resultOf(client: Payfork, { group, name, list }: ClientMethod, args: readonly unknown[]) {
  const groups = client as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>;
  const method = groups[group]?.[name];
  if (!method) throw new Error(`The client has no method ${group}.${name}. Run: npm run client`);
  try {
    const data = await method(...args);
    return (list ? { page: data } : { data }) as Result;
  } catch (error) {
    return { error };
  }
}

/** Compares what the client sends with what the test wants to be sent, and keeps the response. */
const recordingFetch =
  (sent: { current: Sent }, line: ClientMethod, more: Readonly<Record<string, string>>): typeof fetch =>
  async (url, init) => {
    assertSame(`${line.group}.${line.name}`, String(url), init, sent.current.request);
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { ...init?.headers, ...more } });
    const text = await reply.text();
    const { status, headers } = reply;
    sent.current = { ...sent.current, response: { status, headers, body: parsed(text), text } };
    return new Response(text === '' ? null : text, { status, headers });
  };

function assertSame(name: string, url: string, init: RequestInit | undefined, request: TestRequest): void {
  const [wanted, made] = [new URL(request.address, url), new URL(url)];
  const same =
    init?.method === request.method &&
    made.pathname === wanted.pathname &&
    isDeepStrictEqual([...made.searchParams], [...wanted.searchParams]) &&
    init.body === (request.body === undefined ? undefined : JSON.stringify(request.body));
  if (!same)
    throw new Error(
      `The test sends ${request.method} ${request.address} ${JSON.stringify(request.body)}, ` +
        `${name} ${init?.method} ${made.pathname}${made.search} ${init?.body}.`,
    );
}

/** What the client tells its caller is what the API has responded. */
function assertTold(result: Result, { status, headers, body }: ApiResponse, { group, name, list }: ClientMethod): void {
  const { error, page } = result;
  if (status < 300 && body !== undefined) {
    const items = list?.field == null ? body : body[list.field];
    const told = page ? [page.reply, page.items, page.hasMore] : [result.data];
    const expected = page ? [body, items, /rel="next"/.test(headers.get('link') ?? '')] : [body];
    if (!error && isDeepStrictEqual(told, expected)) return;
  } else if (isPayforkError(error)) {
    // What stands before the API may respond, too, and has no code.
    const unreadable = { code: 'unreadable_response', message: error.message };
    const { code, message, details, doc_url } = Object(body).code ? body : unreadable;
    const told = [error.status, error.code, error.message, error.details, error.docUrl, error.requestId];
    const requestId = headers.get('x-request-id') ?? undefined;
    if (isDeepStrictEqual(told, [status, code, message, details, doc_url, requestId])) return;
  }
  throw new Error(`${group}.${name} tells a ${status} as something else.`, { cause: [result, body] });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
