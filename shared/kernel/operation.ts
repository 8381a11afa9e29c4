import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { DAY, monotonic, systemClock } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { derivedId, ID_PREFIX, type IdKind, isId, newId, randomOnce, sha256Hex } from '#shared/kernel/ids.ts';
import type { Span } from '#shared/kernel/spans.ts';

/**
 * A client's request under one idempotency key. All ids created in it derive from it, so that a retry after a crash
 * creates the same ids and continues.
 */
export type Operation = {
  /** Hex; unguessable. */
  readonly seed: string;
  /** The time of the first request. */
  readonly at: Date;
  /** An earlier request with this key started and did not finish. */
  readonly resumed: boolean;
};

export const unkeyedOperation = (at: Date): Operation => ({
  seed: randomBytes(32).toString('hex'),
  at,
  resumed: false,
});

/**
 * What all log lines of one request have in common: its id, as `X-Request-Id` and the access log show it, and that of the
 * caller's trace. Work that no request has caused has the id of its run. `gateway_request_id`: only if the gateway's id
 * could not become part of ours, for the access log has that one. `client_request_id`: the caller's own, if it sent one.
 */
export type LogContext = {
  readonly request_id?: string;
  readonly gateway_request_id?: string;
  readonly client_request_id?: string;
  readonly trace_id?: string;
};

/** The work under way, for whatever is called and awaited in it. */
export type Work = {
  readonly names: LogContext;
  /** The caller wants to see the trace of this request. */
  readonly sampled: boolean;
  /** See `inTrace` and `noteCause`: stored with all that this work writes and sends. */
  trace: string | undefined;
  /** In `monotonic` time. */
  readonly began: number;
  /** Only while spans are recorded: the one of this work, and all that have ended. */
  readonly span?: string;
  readonly spans?: Span[];
};

/** `undefined` outside of any work. */
export const currentWork = new AsyncLocalStorage<Work>();

export const logContext = (): LogContext => currentWork.getStore()?.names ?? {};

/** Milliseconds since the request or the message came. */
export function elapsed(): number | undefined {
  const began = currentWork.getStore()?.began;
  return began === undefined ? undefined : Math.round(monotonic() - began);
}

/** Log lines that `work` writes, and what it calls and awaits, name this context. */
export function inLogContext<T>(names: LogContext, work: () => T, sampled = false, trace = traceOf(names, sampled)): T {
  const spans = currentWork.getStore()?.spans;
  return currentWork.run({ names, sampled, trace, began: monotonic(), ...(spans && { spans }) }, work);
}

const SAMPLED = '-01';
/** The id of the work, its trace, and what may follow them, each after a blank. Others than these are passed on. */
const TRACE = /^((?:req|run)_\S+) ([0-9a-f]{32})(-01)?(?: c:([\w-]{1,64}))?(?: \S+)*$/;

function traceOf({ request_id, trace_id, client_request_id }: LogContext, sampled: boolean): string | undefined {
  if (request_id === undefined || trace_id === undefined) return undefined;
  const caller = client_request_id === undefined ? '' : ` c:${client_request_id}`;
  return `${request_id} ${trace_id}${sampled ? SAMPLED : ''}${caller}`;
}

/** An id of API Gateway is 16 characters of base 64, that of a function URL a UUID. */
const GATEWAY_ID = /^[\w+/=-]{8,64}$/;

/**
 * A request's id: the gateway's with our prefix, so that the gateway's access log can name it too. Without one that can
 * stand in a header and in a log, it is a new one. It is a name for logs: nothing is recognized or derived by it.
 */
export const requestIdOf = (gatewayId: string | undefined, at: Date): string =>
  gatewayId !== undefined && GATEWAY_ID.test(gatewayId) ? `${ID_PREFIX.request}_${gatewayId}` : newId('request', at);

/** Whether `requestIdOf` may have made it, in this release or the one before. */
export const isRequestId = (text: string): boolean =>
  text.startsWith(`${ID_PREFIX.request}_`) && GATEWAY_ID.test(text.slice(ID_PREFIX.request.length + 1));

/**
 * Work that a request has caused: `trace` is what the request stored with its record or message. Log lines name that
 * request. Without a trace, as in what an earlier release has stored, the context stays as it is.
 */
export function inTrace<T>(trace: unknown, work: () => T): T {
  const text = typeof trace === 'string' ? trace : '';
  const [, request_id, trace_id, sampled, client_request_id] = TRACE.exec(text) ?? [];
  if (request_id === undefined || trace_id === undefined || text === currentWork.getStore()?.trace) return work();
  if (!isRequestId(request_id) && !isId('run', request_id)) return work();
  const names = { request_id, trace_id, ...(client_request_id !== undefined && { client_request_id }) };
  return inLogContext(names, work, sampled !== undefined, text);
}

/**
 * Notes for whom this work is done: the id of a key, a user, a payment link or a workflow run, or a word. It ends the
 * trace of all that the work writes and sends from now on, so what follows from it says so too (docs/adr/0093).
 */
export function noteCause(cause: string): void {
  const work = currentWork.getStore();
  if (work) work.trace = work.trace?.replace(/( ~\w+)?$/, ` ~${cause}`);
}

/** For work whose record says elsewhere for whom it is done: an id twice takes records near a KB over it. */
export function dropCause(): void {
  const work = currentWork.getStore();
  if (work) work.trace = work.trace?.replace(/ ~\w+$/, '');
}

/** Work of its own, such as a timer's: all that it causes names this run. */
export const inRun = <T>(work: () => T): T =>
  inLogContext({ request_id: newId('run', systemClock.now()), trace_id: newTraceId() }, work);

/** The message, with the trace of the work that sends it. */
export function withTrace<T extends object>(message: T): T & { readonly trace?: string } {
  const trace = currentWork.getStore()?.trace;
  return trace === undefined || 'trace' in message ? message : { ...message, trace };
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

export const newTraceId = (): string => randomOnce(TRACE_ID_BYTES).toString('hex');
export const newSpanId = (): string => randomOnce(SPAN_ID_BYTES).toString('hex');

/** The span of a whole request. It follows from the id, so that nothing has to carry it. */
export const spanOf = (requestId: string): string => sha256Hex(requestId).slice(0, 2 * SPAN_ID_BYTES);

/** W3C's header for a call of somebody else's server. Each call is a span of its own. */
export function traceparent(): { readonly traceparent?: string } {
  const { names = {}, sampled = false } = currentWork.getStore() ?? {};
  if (names.trace_id === undefined) return {};
  return { traceparent: `00-${names.trace_id}-${newSpanId()}-${sampled ? '01' : '00'}` };
}

/** The nth id of this kind that the operation makes. */
export const operationId = (operation: Operation, kind: IdKind, n = 0): string =>
  derivedId(kind, operation.at, operation.seed, kind, String(n));

/** A claim's lease in ms, longer than any function runs; after that the next request with the key takes over. */
export const CLAIM_LEASE_MS = 35_000;

/** An idempotency key is forgotten after this time, in ms: used again, it starts a new operation. */
export const IDEMPOTENCY_KEY_LIFETIME = DAY;

/** An idempotency key with its scope, and a keyed hash of its request. */
export type IdempotencyRequest = {
  readonly orgId: string;
  readonly class: 'server' | 'public';
  readonly key: string;
  /** Keyed hash of what the request asks for, with the version of its form. */
  readonly request: string;
  /**
   * The hash as the release before stored it, over the body's bytes. Its claims are alive for as long as
   * `IDEMPOTENCY_KEY_LIFETIME`.
   */
  readonly formerRequest?: string | undefined;
  /** Both hashes, made with the other versions of the secret. */
  readonly otherRequests?: readonly string[];
  /** The credential of the request. */
  readonly credentialId: string;
};

/** Whether the request is the one that made the stored claim. */
export function isSameRequest(stored: unknown, idempotencyRequest: IdempotencyRequest): boolean {
  if (stored === idempotencyRequest.request) return true;
  const { formerRequest, otherRequests = [] } = idempotencyRequest;
  return [formerRequest, ...otherRequests].some((request) => request !== undefined && stored === request);
}

/** It advises no new key: the first request may have charged, and then a new key charges a second time. */
export const keyReused = (): AppError =>
  new AppError(
    'idempotency_key_reused',
    'This idempotency key belongs to a different request. To see how that one ended, repeat it unchanged with this ' +
      'key, or look up what it created. Under another key this request is a second operation.',
  );
