import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';

export type StoredAnswer = { readonly status: number; readonly body: string; readonly location?: string };

export type ClaimState =
  | { readonly state: 'new' | 'taken_over'; readonly operation: Operation; readonly claimId: string }
  | { readonly state: 'running'; readonly retryAfter: number }
  | {
      readonly state: 'answered';
      readonly answer: StoredAnswer;
      readonly sealed: boolean;
      readonly credentialId: string;
      readonly claimId: string;
    }
  | { readonly state: 'reused' };

export interface ClaimsPort {
  claim(ticket: ClaimTicket, at: Date): Promise<ClaimState>;
  complete(claimId: string, answer: StoredAnswer, sealed: boolean): Promise<void>;
  /** The key is free again, as if it had not been used. */
  release(claimId: string): Promise<void>;
  /** The request ended without an answer to keep: the next one with the key continues the operation at once. */
  lapse(claimId: string): Promise<void>;
}
