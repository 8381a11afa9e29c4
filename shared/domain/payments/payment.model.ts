import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/**
 * A payment; stored as is. The API returns it without its inner fields. Records carry the API's own field names from
 * the wire to the table, so that no layer renames them (docs/adr/0002).
 */
export type PaymentStatus =
  | 'created'
  | 'processing'
  | 'requires_action'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'refunded';

export type FailureCategory =
  | 'soft_decline'
  | 'hard_decline'
  | 'fraud'
  | 'provider_error'
  | 'configuration'
  | 'expired';

export type Failure = {
  readonly code: string;
  readonly category: FailureCategory;
  readonly message: string;
  readonly provider_code: string | null;
  readonly retryable: boolean;
};

export type NextAction =
  | {
      readonly type: 'redirect';
      readonly url: string;
      readonly method: 'GET' | 'POST';
      readonly fields?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'collect'; readonly field: 'otp' | 'pin' | 'phone' | 'birthday' | 'address' }
  | { readonly type: 'display'; readonly [name: string]: string | number | null }
  | { readonly type: 'await' }
  | { readonly type: 'sdk'; readonly provider: Provider; readonly data: Readonly<Record<string, string>> };

/**
 * What we know of a call to a PSP:
 * `calling`: written before the call, and still so if the process died in it.
 * `unknown`: the call went out and got no readable response.
 * `accepted`: the PSP has it, and its verdict follows.
 * `final`: the PSP has decided, or certainly never got the request.
 */
export type CallPhase = 'calling' | 'unknown' | 'accepted' | 'final';

/**
 * How a failed call counts for its connection's health, if the failure code does not decide that. `none`: nothing was
 * sent, because of the payment's own data. `answered`: the PSP refused this request, which says nothing against the
 * account or the PSP.
 */
export type HealthSignal = 'none' | 'answered';

export type Attempt = {
  readonly id: string;
  readonly connection_id: string;
  readonly provider: Provider;
  readonly status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  readonly failure: Failure | null;
  readonly psp_reference: string | null;
  readonly latency_ms: number | null;
  readonly started_at: string;
  readonly phase: CallPhase;
  /** When the PSP was last polled, and how often by the timer. */
  readonly asked_at?: string;
  readonly asks?: number;
  readonly call?: HealthSignal;
  /** The customer got a next action: from then on no other attempt may start for this payment. */
  readonly handed_out?: boolean;
  /** Until when the customer may act. */
  readonly expires_at?: string;
  /** On an off-session payment: the customer takes part in this attempt, as the issuer requires. */
  readonly on_session?: true;
  /** The A/B test variant that began it; never on a failover. */
  readonly ab_test?: AbTestRef;
  /**
   * The credentials that the attempt was sent with, and the connection's generation unless it is the first under its
   * id.
   */
  readonly credentials_mark?: string;
  readonly generation?: number;
  /** The workflow template of its connection, if any. */
  readonly workflow_id?: string;
  /**
   * Why we end it. Written before the call that ends it: the PSP's report of the end may come first, and gives no
   * reason.
   */
  readonly ending?: AttemptEnding;
  /** What the PSP charged, if that differs from the payment. A person decides; then it is refunded. */
  readonly wrong_amount?: { readonly amount: number; readonly currency: string };
};

/** The owner of a bare token, which does not name its provider: the connection it was first sent through. */
export type TokenConnection = { readonly connection_id: string; readonly provider: Provider };

export type AbTestRef = { readonly test_id: string; readonly variant: string };

export type AttemptEnding = 'cancel' | 'expire';

export type RefundReason = 'duplicate_charge' | 'after_cancel' | 'link_overpaid';

export type Refund = {
  readonly id: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly reason: string | null;
  /** The reason of a failed refund; else null. */
  readonly failure: Failure | null;
  readonly metadata: Metadata;
  readonly attempt_id: string;
  readonly psp_reference: string | null;
  readonly created_at: string;
  readonly phase: CallPhase;
  /** An automatic refund: not in `amount_refunded`, and without events. */
  readonly automatic?: boolean;
  /** The currency that the PSP charged, if it differs from the payment's. */
  readonly currency?: string;
  /** A person ended its review as final: the refund is neither polled nor attempted again. */
  readonly given_up?: true;
  /** Lease of the worker that sends it, at a PSP that would execute two sends. */
  readonly sending_until?: string;
  readonly asked_at?: string;
  readonly asks?: number;
};

export type Review = {
  readonly reason: 'no_verdict' | 'amount_mismatch' | 'refund_failed';
  readonly at: string;
  readonly [detail: string]: string | number;
};

export type RoutingNote = {
  readonly source: 'ab_test' | 'rule' | 'default';
  readonly rule_id?: string;
  readonly ab_test_id?: string;
  readonly variant?: string;
  readonly considered: readonly {
    readonly connection_id: string;
    readonly usable: boolean;
    readonly reason: string | null;
  }[];
  /** Why the remaining connections were not tried. */
  readonly stopped?: 'retry_budget_exhausted';
};

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** An event that is not relayed yet; the relay rebuilds the snapshot from it. */
export type EventStub = {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** Fields whose values at that moment may differ from the stored payment's. */
  readonly was: Readonly<Record<string, unknown>>;
};

/** The idempotency claim that a created payment carries itself. */
type CreateClaim = {
  /** Keyed hash of method, path and body: the same key with another request is an error. */
  readonly request: string;
  /** Until then the first request may be running. */
  readonly lease_until: string;
  /** The response is final: it is the payment as of the write that set this. */
  readonly answered: boolean;
  /** The payment has changed since, so the response is stored in a separate item. */
  readonly kept?: boolean;
};

export type Payment = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: Stage;
  readonly amount: number;
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly method: string;
  readonly country: string | null;
  readonly customer_id: string | null;
  readonly customer_email: string | null;
  readonly customer_ip: string | null;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly connection_id: string | null;
  readonly provider: Provider | null;
  readonly psp_reference: string | null;
  readonly amount_refunded: number;
  readonly refunds: readonly Refund[];
  readonly attempts: readonly Attempt[];
  readonly next_action: NextAction | null;
  readonly failure: Failure | null;
  readonly late_success: boolean;
  readonly review: Review | null;
  readonly routing: RoutingNote | null;
  readonly fraud: { readonly decision: string; readonly reasons: readonly string[] } | null;
  readonly payment_link_id: string | null;
  /** Made for an invoice of a subscription; missing on any other. */
  readonly invoice_id?: string;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on, listed in `INTERNAL_FIELDS`: no response contains them. */
  readonly version: number;
  readonly intent: boolean;
  readonly claim: CreateClaim | null;
  /** The sealed payment method (token, phone …), while it is needed. */
  readonly sealed_method: string | null;
  readonly return_url: string | null;
  /** Remaining connections for failover, in routing order. */
  readonly alternatives: readonly string[];
  readonly outbox: readonly EventStub[];
  /** Number of events announced so far. */
  readonly announced: number;
  /** On the first holder of an idempotency key: the newest generation of that key. */
  readonly newest?: number;
  /** Still to be screened by the velocity rules of this version of the fraud policy before it is sent. */
  readonly unscreened?: number;
  /**
   * The id of an attempt that was not dispatched (no route, or blocked): a repeat after a crash gets the same response.
   */
  readonly unsent?: string;
  /** For a payment link: until when it reserves a slot (missing once released), what became of that slot, and when. */
  readonly link_hold?: {
    readonly until?: string;
    readonly became: 'held' | 'given_up' | 'paid' | 'overpaid';
    readonly at?: string;
  };
  /** Off-session: charged with a saved method, by the customer's agreement. */
  readonly off_session?: true;
  /** The connection that its bare token belongs to. */
  readonly token_of?: TokenConnection;
  /** The invoice's collection attempt that it was last made for, counted from 1. */
  readonly invoice_try?: number;
  /** Its invoice was already paid or canceled, so its money is refunded. */
  readonly invoice_unwanted?: true;
  /** A retry brought a method for this payment alone: what becomes of it says nothing of the subscription's. */
  readonly own_method?: true;
  /** The operation that ended its last review. */
  readonly ended_review?: string;
  /** The latest workflow steps that tagged it, so that a repeat after a crash finds its work done. */
  readonly last_acts?: readonly string[];
  /** Its entry in the due index. */
  readonly due_at?: string;
};

export const INTERNAL_FIELDS = [
  'version',
  'intent',
  'claim',
  'sealed_method',
  'return_url',
  'alternatives',
  'outbox',
  'announced',
  'newest',
  'link_hold',
  'unscreened',
  'unsent',
  'off_session',
  'token_of',
  'invoice_try',
  'invoice_unwanted',
  'own_method',
  'ended_review',
  'last_acts',
  'due_at',
] as const satisfies readonly (keyof Payment)[];
