import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { DAY } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { derivedId, type IdKind } from '#shared/kernel/ids.ts';

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
 * What all log lines of one request have in common: our id, as `X-Request-Id` shows it, the gateway's, as its access log
 * has it, and that of the caller's trace.
 */
export type LogContext = {
  readonly request_id?: string;
  readonly gateway_request_id?: string;
  readonly trace_id?: string;
};

const logContexts = new AsyncLocalStorage<LogContext>();

/** Log lines that `work` writes, and what it calls and awaits, name this context. */
export const inLogContext = <T>(context: LogContext, work: () => T): T => logContexts.run(context, work);

export const logContext = (): LogContext => logContexts.getStore() ?? {};

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
  /** The credential of the request. */
  readonly credentialId: string;
};

/** Whether the request is the one that made the stored claim. */
export const isSameRequest = (stored: unknown, { request, formerRequest }: IdempotencyRequest): boolean =>
  stored === request || (formerRequest !== undefined && stored === formerRequest);

/** It advises no new key: the first request may have charged, and then a new key charges a second time. */
export const keyReused = (): AppError =>
  new AppError(
    'idempotency_key_reused',
    'This idempotency key belongs to a different request. To see how that one ended, repeat it unchanged with this ' +
      'key, or look up what it created. Under another key this request is a second operation.',
  );
