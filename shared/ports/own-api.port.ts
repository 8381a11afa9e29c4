import type { Secret } from '#shared/kernel/secret.ts';

export type OwnApiRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key: Secret;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string | undefined;
  /** On whose behalf the holder of the key acts. */
  readonly actorId?: string | undefined;
};

/** `body`: undefined if it was no JSON. */
export type OwnApiResponse = { readonly status: number; readonly body: unknown };

/** This service's API as its clients reach it: over HTTP, at its public address. */
export interface OwnApiPort {
  /** Rejects if there was no response. */
  call(request: OwnApiRequest): Promise<OwnApiResponse>;
}
