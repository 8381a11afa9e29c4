import { randomBytes } from 'node:crypto';
import { derivedId, type IdKind, keyedHash } from '#shared/kernel/ids.ts';

/**
 * What a client asked for once, under one idempotency key: every id that is made on the way comes from here, so that a
 * retry after a crash makes the same ones and goes on where the first one died.
 */
export type Operation = {
  /** Hex; unguessable. */
  readonly seed: string;
  /** When it was first asked for. */
  readonly at: Date;
  /** An earlier request with this key began and did not finish. */
  readonly resumed: boolean;
};

export const unkeyedOperation = (at: Date): Operation => ({ seed: randomBytes(32).toString('hex'), at, resumed: false });

/**
 * The bytes of a secret that the operation makes, for one purpose: a repeat makes the same ones. The time is part of it, as the
 * same idempotency key means another operation once the first has been forgotten.
 */
export const operationSecret = (hashSecret: string, purpose: string, { seed, at }: Operation): Buffer => keyedHash(hashSecret, purpose, seed, at.toISOString());

/** The nth id of this kind that the operation makes. */
export const operationId = (operation: Operation, kind: IdKind, n = 0): string => derivedId(kind, operation.at, operation.seed, kind, String(n));

/** A claim is leased for longer than any function runs, ms; after that the next request with the key takes over. */
export const LEASE = 35_000;

/** What a client's idempotency key is kept under, and a keyed hash of what it came with. */
export type ClaimTicket = {
  readonly orgId: string;
  readonly class: 'server' | 'public';
  readonly key: string;
  /** Keyed hash of method, path and body. */
  readonly request: string;
  /** The credential that asked. */
  readonly credentialId: string;
};
