import type * as z from 'zod';
import type { RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import type { PlatformRole, Role } from '#shared/domain/reference/roles.catalog.ts';
import type { Scope } from '#shared/domain/reference/scopes.catalog.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { InboundCallback } from '#shared/ports/psp.port.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * `required`, `optional`: the middleware claims the key. `fused`: the record that the use case makes is its own claim.
 */
type Idempotency = 'required' | 'optional' | 'fused' | 'none';

/** A use case's full answer, where its record alone is not enough. */
export class Answer<T = unknown> {
  readonly result: T;
  readonly replayed: boolean;
  readonly location: string | undefined;
  readonly link: string | undefined;
  /** Whole `Set-Cookie` texts. */
  readonly cookies: readonly string[];
  constructor(
    result: T,
    extra: {
      readonly replayed?: boolean;
      readonly location?: string;
      readonly link?: string;
      readonly cookies?: readonly string[];
    } = {},
  ) {
    this.result = result;
    this.replayed = extra.replayed ?? false;
    this.location = extra.location;
    this.link = extra.link;
    this.cookies = extra.cookies ?? [];
  }
}

/**
 * Who has access: keys with this scope, and sessions whose role has it; any key of the organization, above all a public
 * one, from any web page; anyone; any signed-in user; a member of the organization with at least this role, and with
 * `keys` its secret keys too; or a platform administrator.
 */
type Access =
  | { readonly scope: Scope }
  | { readonly access: 'public' }
  | { readonly access: 'anyone' }
  | { readonly access: 'signed_in' }
  | { readonly access: 'member'; readonly role: Role; readonly keys?: true }
  | { readonly access: 'platform'; readonly role: PlatformRole };

/** One endpoint of the API. The gateway, the tests, CDK and the OpenAPI document read the same list. */
export type Route = Access & {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly rate: RateClass;
  readonly idempotency: Idempotency;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body is optional. */
  readonly bodyOptional: boolean;
  /** Only fields of this shape leave the service. */
  readonly reply: z.ZodType;
  readonly status: 200 | 201 | 202;
  /** The answer holds a secret that is shown once: it is stored sealed, and replayed only to the same credential. */
  readonly secretAnswer: boolean;
  /** The use case needs the organization's setup: it is read while the key is being checked. */
  readonly prefetch: boolean;
  readonly run: (input: never, caller: Caller, deps: Deps) => Promise<unknown>;
};

/** A use case may return readonly data; the shape only reads it. */
type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

type Shape = z.ZodType | undefined;
type InputOf<P extends Shape, Q extends Shape, B extends Shape> = (P extends z.ZodType ? z.output<P> : unknown) &
  (Q extends z.ZodType ? z.output<Q> : unknown) &
  (B extends z.ZodType ? z.output<B> : unknown);

type Spec<P extends Shape, Q extends Shape, B extends Shape, R extends z.ZodType> = Access & {
  readonly summary: string;
  readonly rate?: RateClass;
  readonly idempotency?: Idempotency;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyOptional?: boolean;
  readonly reply: R;
  readonly status?: 200 | 201 | 202;
  readonly secretAnswer?: boolean;
  readonly prefetch?: boolean;
  readonly run: (
    input: InputOf<P, Q, B>,
    caller: Caller,
    deps: Deps,
  ) => Promise<Frozen<z.input<R>> | Answer<Frozen<z.input<R>>>>;
};

const line =
  (method: Method) =>
  <R extends z.ZodType, P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
    path: string,
    spec: Spec<P, Q, B, R>,
  ): Route => ({
    status: 200,
    secretAnswer: false,
    bodyOptional: false,
    prefetch: false,
    rate: method === 'GET' ? 'reads' : 'writes',
    idempotency: method === 'GET' ? 'none' : usualIdempotency(spec),
    ...spec,
    method,
    path,
    run: spec.run as Route['run'],
  });

/** `/v1/auth/*` ignores idempotency keys, as nothing there is harmful when repeated. */
function usualIdempotency(access: Access): Idempotency {
  if (!('access' in access) || access.access === 'member') return 'required';
  return access.access === 'public' || access.access === 'platform' ? 'optional' : 'none';
}

export const get = line('GET');
export const post = line('POST');
export const patch = line('PATCH');
export const del = line('DELETE');

/** A page's or callback's answer, for a browser or a PSP and not an API client. */
export type RawReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole `Set-Cookie` texts. */
  readonly cookies?: readonly string[];
  readonly body?: string;
};

export type RawRequest = InboundCallback & {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly ip: string;
};

/** A page for people: visitors are counted by address, and errors become pages. */
export type PageTraits = {
  readonly rate: RateClass;
  readonly trouble: (status: number, retryAfter: number | undefined, request: RawRequest) => RawReply;
};

/** An endpoint for PSPs or browsers: no credential of ours, any query parameters, the body as its bytes. */
export type RawRoute = {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly raw: (request: RawRequest, deps: Deps) => Promise<RawReply>;
  readonly page?: PageTraits;
};

export type AnyRoute = Route | RawRoute;

export const isPublic = (route: Route): route is Extract<Route, { readonly access: 'public' }> =>
  accessOf(route) === 'public';

/** `scope` where a scope opens it. */
export const accessOf = (route: Access): 'scope' | Extract<Access, { readonly access: string }>['access'] =>
  'access' in route ? route.access : 'scope';

export const isRaw = (route: AnyRoute): route is RawRoute => 'raw' in route;
export const routeKey = (route: { readonly method: string; readonly path: string }): string =>
  `${route.method} ${route.path}`;
