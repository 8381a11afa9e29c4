import type { NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { AbTestRef, Attempt, Failure, HealthSignal, NextAction } from '#shared/domain/payments/payment.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';

/** What one call or query to a PSP says about an attempt. */
export type Verdict = VerdictReport & Decision;

/** What the PSP tells beside it. `saved`: a token of the payment method that it has kept, to be sealed at once. */
type VerdictReport = { readonly network?: NetworkReport; readonly saved?: PaymentToken };

type Decision =
  | { readonly kind: 'succeeded'; readonly reference: string; readonly amount: number; readonly currency: string }
  | {
      readonly kind: 'requires_action';
      readonly reference: string;
      readonly action: NextAction;
      readonly expires_at?: string;
    }
  /** Its amount is reserved, to be captured later. */
  | {
      readonly kind: 'authorized';
      readonly reference: string;
      readonly amount: number;
      readonly currency: string;
      readonly capturable_until?: string;
    }
  /** `captureUnknown`: our capture got no response. */
  | { readonly kind: 'processing'; readonly reference: string; readonly captureUnknown?: true }
  /** Undecided: a pending next action stays. */
  | { readonly kind: 'waiting'; readonly reference: string }
  | {
      readonly kind: 'failed';
      readonly reference: string | null;
      readonly failure: Failure;
      readonly allowsFailover: boolean;
      readonly call?: HealthSignal;
    }
  /** `expired`: an authorization that nobody has captured in time. */
  | { readonly kind: 'canceled'; readonly reference: string; readonly expired?: true }
  /** The PSP has accepted our cancel, and has not ended the charge yet. */
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'unknown' };

/** What a PSP says about a refund or a capture. `accepted`: it has it, and reports its result later. */
export type SentOutcome<D> =
  | { readonly kind: 'succeeded'; readonly reference: string }
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'failed'; readonly reference: string | null; readonly decline: D };

/** What our own call, a look-up or a callback says about a refund or a capture (docs/adr/0030). */
export type SentVerdict<D> =
  | SentOutcome<D>
  /** The PSP did nothing with this call: it did not receive it, or refused it. */
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'unknown' };

export type SettleOptions = { readonly next?: NewAttempt; readonly latencyMs?: number };

export type NewAttempt = AttemptConnection & {
  readonly id: string;
  readonly alternatives: readonly string[];
  readonly ab_test?: AbTestRef;
  readonly on_session?: true;
};

export type VerdictOf<K extends Verdict['kind']> = Extract<Verdict, { kind: K }>;

/** What an attempt stores about the connection it is sent through. */
export type AttemptConnection = Pick<
  Attempt,
  'connection_id' | 'provider' | 'credentials_mark' | 'generation' | 'workflow_id'
>;
