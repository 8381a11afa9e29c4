import type { Provider } from '#shared/domain/provider.model.ts';

/**
 * A payment as it is stored and, without its inner fields, answered. Records carry the interface's own field names from
 * the wire to the table, so that no layer renames them (docs/adr/0002).
 */
export type PaymentStatus = 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled' | 'refunded';

export type FailureCategory = 'soft_decline' | 'hard_decline' | 'fraud' | 'provider_error' | 'configuration' | 'expired';

export type Failure = {
  readonly code: string;
  readonly category: FailureCategory;
  readonly message: string;
  readonly provider_code: string | null;
  readonly retryable: boolean;
};

export type NextAction =
  | { readonly type: 'redirect'; readonly url: string; readonly method: 'GET' | 'POST'; readonly fields?: Readonly<Record<string, string>> }
  | { readonly type: 'collect'; readonly field: 'otp' | 'pin' | 'phone' | 'birthday' | 'address' }
  | { readonly type: 'display'; readonly [name: string]: string | number | null }
  | { readonly type: 'await' }
  | { readonly type: 'sdk'; readonly provider: Provider; readonly data: Readonly<Record<string, string>> };

/**
 * What we know of a call to a PSP:
 * `calling`: written before the call; still so when the process died in it.
 * `unknown`: the call went out and brought no readable answer.
 * `accepted`: the PSP has it and its verdict follows.
 * `final`: the PSP has spoken, or it was certainly never asked.
 */
export type CallPhase = 'calling' | 'unknown' | 'accepted' | 'final';

/**
 * What a failed call says of its connection's health, where its failure does not tell.
 * `none`: nothing was sent, for what the payment itself brought.
 * `answered`: the PSP refused this request, which says nothing against the account or the PSP.
 */
export type CallMark = 'none' | 'answered';

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
  /** When the PSP was last asked what became of it, and how often by the timer. */
  readonly asked_at?: string;
  readonly asks?: number;
  readonly call?: CallMark;
  /** The customer was asked to act: from then on nothing else may be tried for this payment. */
  readonly handed_out?: boolean;
  /** Until when the customer may act. */
  readonly expires_at?: string;
  /** Of a payment that is charged off-session: this attempt asks the customer, as her issuer wants her. */
  readonly on_session?: true;
  /** The variant of an A/B test that began it; never on a failover after it. */
  readonly ab_test?: AbTrial;
  /** Which of its connection's credentials it was sent with, and which connection of that id it was where it was not the first. */
  readonly credentials_mark?: string;
  readonly generation?: number;
  /** The template of the connection's own workflow, where it had one. */
  readonly workflow_id?: string;
  /** Why we have its PSP end it, written before we do: the PSP's word of the end, which may come first, does not say. */
  readonly ending?: Ending;
};

/** A bare token says nothing of whose it is: it was first sent through this connection, of this provider. */
export type TokenAccount = { readonly connection_id: string; readonly provider: Provider };

export type AbTrial = { readonly test_id: string; readonly variant: string };

export type Ending = 'cancel' | 'expire';

export type RefundReason = 'duplicate_charge' | 'after_cancel' | 'link_overpaid';

export type Refund = {
  readonly id: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly reason: string | null;
  /** Why it was not made; null unless it has failed. */
  readonly failure: Failure | null;
  readonly metadata: Metadata;
  readonly attempt_id: string;
  readonly psp_reference: string | null;
  readonly created_at: string;
  readonly phase: CallPhase;
  /** Made by us, not asked for: outside `amount_refunded`, and silent. */
  readonly automatic?: boolean;
  /** What its PSP took, where that was another currency than the payment's. */
  readonly currency?: string;
  /** A person ended its review without a word of the PSP's: nobody asks about it any more. */
  readonly given_up?: true;
  /** Until then one worker sends it, at a PSP that would carry two sends out. */
  readonly sending_until?: string;
  readonly asked_at?: string;
  readonly asks?: number;
};

export type Review = { readonly reason: 'no_verdict' | 'amount_mismatch' | 'refund_failed'; readonly at: string; readonly [detail: string]: string | number };

export type RoutingNote = {
  readonly source: 'ab_test' | 'rule' | 'default';
  readonly rule_id?: string;
  readonly ab_test_id?: string;
  readonly variant?: string;
  readonly considered: readonly { readonly connection_id: string; readonly usable: boolean; readonly reason: string | null }[];
  /** Why the connections that were left have not been tried. */
  readonly stopped?: 'retry_budget_exhausted';
};

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** An event that a change announced and the relay has not passed on yet; the relay rebuilds the snapshot from it. */
export type EventStub = {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** What of the payment was different at that moment from what its item may say later. */
  readonly was: Readonly<Record<string, unknown>>;
};

/** The idempotency claim that a created payment carries itself. */
export type Claim = {
  /** Keyed hash of method, path and body: the same key with another request is refused. */
  readonly request: string;
  /** Until then the first request may still be running. */
  readonly lease_until: string;
  /** The answer has been decided: what the payment showed at the write that set this. */
  readonly answered: boolean;
  /** The payment has changed since; the answer lies beside it. */
  readonly kept?: boolean;
};

export type Payment = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: 'sandbox' | 'live';
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

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  readonly intent: boolean;
  readonly claim: Claim | null;
  /** The sealed payment method (token, phone …), until it is not needed any more. */
  readonly sealed_method: string | null;
  readonly return_url: string | null;
  /** Further connections, in routing order, should this attempt allow another. */
  readonly alternatives: readonly string[];
  readonly outbox: readonly EventStub[];
  /** How many events it has announced so far. */
  readonly announced: number;
  /** On the first holder of an idempotency key: the newest generation of that key. */
  readonly newest?: number;
  /** It must still pass the velocity rules before it is sent: those of the fraud policy's version of this number. */
  readonly unscreened?: number;
  /** The attempt that was not sent, as nobody takes it or the policy stopped it: who asks for it again after a crash is answered the same. */
  readonly unsent?: string;
  /** Made through a payment link: until when it holds one of the link's slots, which one that was given up does not; what became of that slot, and when. */
  readonly link_hold?: { readonly until?: string; readonly became: 'held' | 'given_up' | 'paid' | 'overpaid'; readonly at?: string };
  /** The customer is away: it is charged with a saved method, by her agreement. */
  readonly off_session?: true;
  /** The account that knows the bare token it is paid with. */
  readonly token_of?: TokenAccount;
  /** Which of its invoice's tries it is on its way for, or was last. */
  readonly invoice_try?: number;
  /** Its money was not what the invoice asked for any more, and goes back. */
  readonly invoice_unwanted?: true;
  /** The operation that ended its last review. */
  readonly ended_review?: string;
  /** The steps of workflows that tagged it last: carried out again after a crash, they have been done. */
  readonly last_acts?: readonly string[];
  /** Where the due index has it. */
  readonly due_at?: string;
};
