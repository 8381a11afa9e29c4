import type * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { PlatformRole, Role, Scope } from '#shared/domain/reference/access.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { HeaderName } from '#shared/http/openapi/components.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * `required`, `optional`: the middleware claims the key. `in_record`: the record that the use case creates holds the
 * key, and the use case claims it by writing the record.
 */
type Idempotency = 'required' | 'optional' | 'in_record' | 'none';

type AgentAccess = 'may' | 'ask';

/**
 * Who has access: keys with this scope, and sessions whose role has it; any key of the organization, above all a public
 * one, from any web page; anyone; any signed-in user; a member of the organization with at least this role, and with
 * `keys` its secret keys too; or a platform administrator.
 */
type Access =
  | { readonly access: 'scope'; readonly scope: Scope }
  | { readonly access: 'public' }
  | { readonly access: 'anyone' }
  | { readonly access: 'signed_in' }
  | { readonly access: 'member'; readonly role: Role; readonly keys?: true }
  | { readonly access: 'platform'; readonly role: PlatformRole };

/** On a route line the scope is enough. */
type AccessSpec = { readonly scope: Scope } | Exclude<Access, { readonly access: 'scope' }>;

/**
 * One endpoint of the API. The gateway, the tests, CDK and the OpenAPI document read the same list. `D`: the
 * dependencies of its use case; `never` stands for any.
 */
export type Route<D = never> = Access & {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** Where the public name of the operation is not the use case's. */
  readonly operationId?: string;
  /** A second spelling of a path: it works, but the client has no method for it. */
  readonly deprecated?: true;
  readonly rate: RateClass;
  readonly idempotency: Idempotency;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly bodyOptional: boolean;
  /** Only fields of this shape leave the service. */
  readonly reply: z.ZodType;
  readonly status: 200 | 201 | 202;
  /** Codes that the use case may fail with, beyond those of the middleware: the API document lists them. */
  readonly errors: readonly ErrorCode[];
  /** The response holds a secret that is shown once: it is stored sealed, and replayed only to the same credential. */
  readonly secretResponse: boolean;
  /** A session needs a proof that is under ten minutes old. Keys need none. */
  readonly proof?: 'fresh';
  /** The use case needs the organization's routing data: it is read while the key is being checked. */
  readonly prefetch: boolean;
  /** A GET that uses something up, such as a link that works once: HEAD does not run it. */
  readonly usesUp?: true;
  /**
   * Whether the key of an agent may call it; missing: only if it is a GET. `ask`: it moves money, so that above the
   * organization's limit a person is asked.
   */
  readonly agents?: AgentAccess;
  /** Members may do it while their organization is stopped: it only takes rights away. */
  readonly whileStopped?: true;
  /** A list: the field of the reply that holds the items; null if the reply is the bare array. */
  readonly list?: { readonly items: string | null };
  /** The path of the new resource; `{id}` is replaced by its id. */
  readonly location?: string;
  /** Whole `Set-Cookie` texts. */
  readonly cookies?: (result: never) => readonly string[];
  readonly run: (input: never, caller: Caller, deps: D) => Promise<unknown>;
};

/** A use case may return readonly data; the shape only reads it. */
type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

type Shape = z.ZodType | undefined;
type InputOf<P extends Shape, Q extends Shape, B extends Shape> = (P extends z.ZodType ? z.output<P> : unknown) &
  (Q extends z.ZodType ? z.output<Q> : unknown) &
  (B extends z.ZodType ? z.output<B> : unknown);

type UseCase<P extends Shape, Q extends Shape, B extends Shape, O, D> = (
  input: InputOf<P, Q, B>,
  caller: Caller,
  deps: D,
) => Promise<O>;

type Spec<P extends Shape, Q extends Shape, B extends Shape> = AccessSpec & {
  readonly summary: string;
  readonly operationId?: string;
  readonly rate?: RateClass;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyOptional?: boolean;
  readonly status?: 200 | 201 | 202;
  readonly errors?: readonly ErrorCode[];
  readonly secretResponse?: boolean;
  readonly prefetch?: boolean;
  readonly usesUp?: true;
  readonly whileStopped?: true;
  readonly agents?: AgentAccess;
  readonly proof?: 'fresh';
};

/**
 * `O` is what the use case returns: at least the reply's fields, and what the headers are made from. Where the record
 * holds the idempotency key, the result says whether an earlier request has made it.
 */
type ResultSpec<R extends z.ZodType, O extends DeepReadonly<z.input<R>>> = {
  readonly reply: R;
  readonly location?: O extends { readonly id: string } ? string : never;
  readonly cookies?: (result: O) => readonly string[];
  readonly idempotency?: O extends { readonly replayed: boolean } ? Idempotency : Exclude<Idempotency, 'in_record'>;
};

const line =
  (method: Method) =>
  <
    R extends z.ZodType,
    O extends DeepReadonly<z.input<R>>,
    D,
    P extends Shape = undefined,
    Q extends Shape = undefined,
    B extends Shape = undefined,
  >(
    path: string,
    spec: Spec<P, Q, B> & ResultSpec<R, O> & { readonly run: UseCase<P, Q, B, O, D> },
  ): Route<D> =>
    toRoute(method, path, spec);

type AnySpec = AccessSpec &
  Pick<Route, 'summary' | 'reply'> &
  Partial<Omit<Route, 'run' | 'method' | 'path' | 'cookies'>> & { readonly run: unknown };

const toRoute = <D>(method: Method, path: string, spec: AnySpec): Route<D> => ({
  status: 200,
  errors: [],
  secretResponse: false,
  bodyOptional: false,
  prefetch: false,
  rate: method === 'GET' ? 'reads' : 'writes',
  idempotency: method === 'GET' ? 'none' : defaultIdempotency(spec),
  ...spec,
  ...accessOf(spec),
  method,
  path,
  run: spec.run as Route<D>['run'],
});

const accessOf = (spec: AccessSpec): Access => ('scope' in spec ? { access: 'scope', scope: spec.scope } : spec);

/** `/v1/auth/*` ignores idempotency keys, as nothing there is harmful when repeated. */
function defaultIdempotency(spec: AccessSpec): Idempotency {
  const { access } = accessOf(spec);
  if (access === 'scope' || access === 'member') return 'required';
  return access === 'public' || access === 'platform' ? 'optional' : 'none';
}

export const get = line('GET');
export const post = line('POST');
export const patch = line('PATCH');
export const del = line('DELETE');

type ItemOf<T> = T extends readonly (infer U)[] ? U : never;

/** A reply with `pagination.total` needs a page that knows the length of its list. */
type PageFor<Reply, T> = Reply extends { readonly pagination: { readonly total: number } }
  ? ListPage<T> & { readonly total: number }
  : ListPage<T>;

type ListSpec<R extends z.ZodType, K> =
  DeepReadonly<z.input<R>> extends infer Reply
    ? Reply extends readonly unknown[]
      ? { readonly reply: R; readonly items?: null; readonly page: ListPage<Reply[number]> }
      : K extends keyof Reply
        ? { readonly reply: R; readonly items: K; readonly page: PageFor<Reply, ItemOf<Reply[K]>> }
        : never
    : never;

/**
 * A list, newest first. The use case returns a page of items; `pagination` and the `Link` to the next page are made
 * from it. `items` names the field of the reply that holds them; without it the reply is the bare array.
 */
export const list = <
  R extends z.ZodType,
  Q extends z.ZodType,
  D,
  K extends string | null = null,
  P extends Shape = undefined,
>(
  path: string,
  spec: Spec<P, Q, undefined> &
    Omit<ListSpec<R, K>, 'page'> & {
      readonly reply: R;
      readonly query: Q;
      readonly items?: K;
      readonly run: UseCase<P, Q, undefined, ListSpec<R, K>['page'], D>;
    },
): Route<D> => {
  const { items = null, ...rest } = spec;
  return toRoute('GET', path, { ...rest, list: { items } } as AnySpec);
};

/** A page for people: visitors are counted by address, and an error becomes a page. */
export type PageOptions = {
  readonly rate: RateClass;
  readonly renderError: (status: number, retryAfter: number | undefined, request: RawRequest) => RawResponse;
};

/** Successful responses of a page or a callback, by status, for the API document. */
export type RawResponses = Readonly<
  Record<
    string,
    Pick<ZodOpenApiResponseObject, 'description' | 'content'> & { readonly headers?: readonly HeaderName[] }
  >
>;

/** An endpoint for PSPs or browsers: no credential of this API, any query parameters, the body as its bytes. */
export type RawRoute<D = never> = {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** Where the public name of the operation is not the use case's. */
  readonly operationId?: string;
  readonly raw: (request: RawRequest, deps: D) => Promise<RawResponse>;
  readonly page?: PageOptions;
  /** Requests are counted by address, as those of pages are. */
  readonly rate?: RateClass;
  /** Its function has no table, so nobody is counted: responses show a window of which nothing is used. */
  readonly stateless?: true;
  readonly responses: RawResponses;
  readonly errors?: readonly ErrorCode[];
};

export type AnyRoute<D = never> = Route<D> | RawRoute<D>;

/** A record with an outbox changes too often, is full, or holds too many events that were not delivered yet. */
export const CHANGE_ERRORS = ['write_conflict', 'record_full', 'events_waiting'] as const;

export const isRaw = <D>(route: AnyRoute<D>): route is RawRoute<D> => 'raw' in route;
export const routeKey = (route: { readonly method: string; readonly path: string }): string =>
  `${route.method} ${route.path}`;

/** HEAD is answered wherever GET is: link checkers, monitors and proxies send it. */
export const methodsOf = ({ method }: Pick<AnyRoute, 'method'>): readonly (Method | 'HEAD')[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];
