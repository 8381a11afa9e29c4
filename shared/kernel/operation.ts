import { randomBytes } from 'node:crypto';
import { DAY } from '#shared/kernel/clock.ts';
import { derivedId, type IdKind, keyedHash } from '#shared/kernel/ids.ts';

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
 * Derives a secret's bytes for one purpose: a repeat derives the same ones. The time is included, as an idempotency key
 * means another operation once the first one is forgotten.
 */
export const operationSecret = (hashSecret: string, purpose: string, { seed, at }: Operation): Buffer =>
  keyedHash(hashSecret, purpose, seed, at.toISOString());

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
  /** Keyed hash of method, path and body. */
  readonly request: string;
  /** The credential of the request. */
  readonly credentialId: string;
};
