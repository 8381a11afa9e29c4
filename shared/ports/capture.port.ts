import type { Decline } from '#shared/domain/payments/declines.catalog.ts';
import type { ReportedAuthorization, ReportedCapture } from '#shared/domain/payments/reported-authorization.rules.ts';
import type { SentOutcome } from '#shared/domain/payments/verdict.model.ts';
import type { PspMetadata } from '#shared/ports/psp.port.ts';

/** What a PSP can do for charges whose money is captured later. A PSP without it gets no such charge. */
export type ManualCapture = {
  /** Our methods that it can authorize without capturing. */
  readonly methods: readonly string[];
  /** Less than the authorized amount can be captured. */
  readonly partial: boolean;
  /** An authorization can be captured several times. */
  readonly multi: boolean;
  /** How long an authorization lasts where the PSP does not tell, in ms. */
  readonly validityMs: number;
  /**
   * How long a capture may be repeated, in ms, where its first send is looked for before. Default: as long as the
   * idempotency keys of charges live.
   */
  readonly repeatableMs?: number;
};

export type CaptureOrder = {
  readonly paymentId: string;
  /** Also the idempotency key at the PSP. */
  readonly captureId: string;
  /** The charge's reference. */
  readonly reference: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** What the PSP authorized, in minor units. */
  readonly authorized: number;
  /** The rest is released. */
  readonly final: boolean;
  readonly metadata: PspMetadata;
  readonly sentAt?: string;
  /** It may have been sent before: by a worker that died, or without a response. */
  readonly isRepeat?: boolean;
};

export type CaptureOutcome = SentOutcome<Decline>;

export type PspCapture = ReportedCapture;

export type PspAuthorization = ReportedAuthorization;

/** A callback about a capture. `reported` counts, once the signature is verified, where the PSP has no look-up. */
export type CaptureEvent = {
  readonly kind: 'capture';
  readonly reference: string | null;
  readonly paymentReference: string | null;
  readonly ourId?: string;
  readonly reported?: PspCapture;
};
