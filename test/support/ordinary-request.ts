import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RequestOptions } from '#client/typescript/src/index.ts';
import type { ClientMethod } from '#lib/client/operations.ts';
import type { CallOptions } from '#test/support/host.ts';

export type TestRequest = CallOptions & {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly body?: unknown;
};

/** The same request, as a caller of the client gives it to a method. */
export type OrdinaryRequest = {
  readonly ids: readonly string[];
  readonly input: object | undefined;
  readonly credential: object;
  readonly options: RequestOptions;
  /** What only the network or a browser adds. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Tests send much that no method of the client would: undefined for such a request. */
export function ordinaryRequest(request: TestRequest, line: ClientMethod): OrdinaryRequest | undefined {
  const [path = '', query = ''] = request.address.split('?');
  const ids = idsOf(path, line.path);
  const input = inputOf(request, query);
  const headers = headersOf(request);
  const idempotencyKey = keyOf(request, line);
  if (!ids || !input || !headers || idempotencyKey === null) return undefined;
  const credential = credentialOf(request, headers);
  const { 'x-actor-id': actorId, 'x-service-key': _, 'x-org-id': orgId, ...others } = headers;
  // A key has its organization: only sessions and service keys name one.
  if (!credential || actorId === '' || ('key' in credential && orgId !== undefined)) return undefined;
  const options = { ...(idempotencyKey && { idempotencyKey }), ...(actorId && { actorId }) };
  return { ids, input: input.value, credential, options, headers: others };
}

function idsOf(path: string, template: string): readonly string[] | undefined {
  const segments = path.split('/');
  const raw = template.split('/').flatMap((each, n) => (each.startsWith('{') ? [segments[n] ?? ''] : []));
  const ids = raw.map((each) => decoded(each));
  const isWritten = ids.every(
    (id, n) => id !== undefined && !/^\.{0,2}$/.test(id) && encodeURIComponent(id) === raw[n],
  );
  return isWritten ? ids.map(String) : undefined;
}

function inputOf({ method, body }: TestRequest, query: string): { readonly value: object | undefined } | undefined {
  const inBody = method === 'POST' || method === 'PATCH';
  if (inBody) return query === '' && (body === undefined || isPlain(body)) ? { value: body } : undefined;
  if (body !== undefined || /%(?![\da-f]{2})/i.test(query) || /�/.test(decoded(query) ?? '�')) return undefined;
  const entries = [...new URLSearchParams(query)];
  const isOnce = new Set(entries.map(([name]) => name)).size === entries.length;
  return isOnce ? { value: query === '' ? undefined : Object.fromEntries(entries) } : undefined;
}

/** An object that arrives as it is: no list, and nothing that JSON leaves out. */
const isPlain = (body: unknown): body is object =>
  typeof body === 'object' &&
  body !== null &&
  Object.getPrototypeOf(body) === Object.prototype &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(body)), body);

/** Its names in lower case, if the client leaves all of them to its caller. */
function headersOf({ headers = {} }: TestRequest): Readonly<Record<string, string>> | undefined {
  const own = ['authorization', 'content-type', 'content-encoding', 'idempotency-key', 'x-idempotency-key'];
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const isOnce = new Set(lower.map(([name]) => name)).size === lower.length;
  return isOnce && !lower.some(([name]) => own.includes(name)) ? Object.fromEntries(lower) : undefined;
}

/** Undefined: no key. Null: the client would send another. */
function keyOf({ idempotencyKey }: TestRequest, { verb, repeatable }: ClientMethod): string | undefined | null {
  const sendsKey = verb !== 'GET' && repeatable;
  if (!sendsKey) return idempotencyKey ? null : undefined;
  return idempotencyKey === undefined ? randomUUID() : idempotencyKey || null;
}

function credentialOf({ key }: TestRequest, headers: Readonly<Record<string, string>>): object | undefined {
  const { cookie, 'x-service-key': serviceKey, 'x-org-id': orgId } = headers;
  if (key) return cookie === undefined && serviceKey === undefined ? { key } : undefined;
  if (serviceKey) return cookie === undefined && orgId ? { serviceKey, orgId } : undefined;
  return serviceKey === undefined && orgId !== '' ? { session: true, ...(orgId && { orgId }) } : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
