import type { IdempotencyRequest, Operation } from '#shared/kernel/operation.ts';

export type StoredResponse = { readonly status: number; readonly body: string; readonly location?: string };

export type ClaimState =
  | { readonly state: 'new' | 'taken_over'; readonly operation: Operation; readonly claimId: string }
  | { readonly state: 'running'; readonly retryAfter: number }
  | {
      readonly state: 'completed';
      readonly response: StoredResponse;
      readonly sealed: boolean;
      readonly credentialId: string;
      readonly claimId: string;
    }
  | { readonly state: 'reused' };

export interface ClaimsPort {
  claim(idempotencyRequest: IdempotencyRequest, at: Date): Promise<ClaimState>;
  /** Stores the sealed secret that the operation issues. Returns it, or the one that an earlier run has stored. */
  storeSecret(claimId: string, sealed: string): Promise<string>;
  complete(claimId: string, response: StoredResponse, sealed: boolean): Promise<void>;
  /** The key is free again, as if it had not been used. */
  release(claimId: string): Promise<void>;
  /** The request ended without a final response: the next one with the key continues the operation at once. */
  expire(claimId: string): Promise<void>;
}
