import type { NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

export const PAYMENT_STATUSES = [
  'created',
  'processing',
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'refunded',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

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
  /** Set if the PSP's reason calls for another payment method where the code usually does not, or the reverse. */
  readonly needs_other_method?: boolean;
  /** The same for the PSP's advice alone, whether or not the customer could make the same method work again. */
  readonly asks_new_method?: boolean;
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
 * What we know of a call to a PSP. `calling`: written before the call; it stays if the process dies during the call.
 * `unknown`: the call was sent and got no readable response. `accepted`: the PSP has it, and will report its verdict.
 * `final`: the PSP has decided, or certainly never got the request.
 */
export type CallPhase = 'calling' | 'unknown' | 'accepted' | 'final';

/** `unsent`: the PSP certainly did not get it, or did nothing with it. It is sent again (docs/adr/0030). */
export type SendPhase = CallPhase | 'unsent';

/**
 * How a failed call counts for the health of its connection, if the failure code does not decide that. `none`: nothing
 * was sent, because of data of the payment. `answered`: the PSP refused this request, which says nothing about the
 * health of the account or the PSP.
 */
export type HealthSignal = 'none' | 'answered';

/** The fields of the network's report are those that the PSP told. */
export type Attempt = NetworkReport & {
  readonly id: string;
  readonly connection_id: string;
  readonly provider: Provider;
  readonly status: 'processing' | 'requires_action' | 'authorized' | 'succeeded' | 'failed' | 'canceled';
  readonly failure: Failure | null;
  readonly psp_reference: string | null;
  readonly latency_ms: number | null;
  readonly started_at: string;
  readonly phase: CallPhase;
  /** When the PSP was last polled about it, and how often the timer has polled. */
  readonly asked_at?: string;
  readonly asks?: number;
  readonly call?: HealthSignal;
  /** The customer was given a next action, so no other attempt may start for this payment. */
  readonly handed_out?: boolean;
  /** Until when the customer may act. */
  readonly expires_at?: string;
  /** On an off-session payment: the customer takes part in this attempt, as the issuer requires. */
  readonly on_session?: true;
  /** The A/B test variant that chose its connection. Never set on a failover. */
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
   * Why we end it. Written before the call to the PSP: its report of the end may come before the response, and gives no
   * reason.
   */
  readonly ending?: AttemptEnding;
  /** What the PSP charged, if that differs from the payment. A person reviews it, and then it is refunded. */
  readonly wrong_amount?: { readonly amount: number; readonly currency: string };
  /** The PSP may have refunds of this charge that we do not know. They are read at `next`. */
  readonly unread_refunds?: { readonly since: string; readonly next: string };
  /** Of an authorized attempt: what is not captured is given back, and nothing more may be captured. */
  readonly release?: Release;
};

/**
 * Why an authorization is released: the merchant cancels the payment, it has expired, or the payment may not keep it.
 */
export type ReleaseReason = 'cancel' | 'expire' | RefundReason;

/** Written before the PSP is called, so that the timer finds it after a crash. */
export type Release = {
  readonly reason: ReleaseReason;
  readonly since: string;
  /** When the PSP was last called about it. */
  readonly asked_at?: string;
  /** The PSP has released it. Captures that are still pending decide how the payment ends. */
  readonly done?: true;
};

/** Money taken from an authorization. `failure`: of a failed one; else null. */
export type Capture = {
  readonly id: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly failure: Failure | null;
  /** The rest of the authorization is released with it. */
  readonly final: boolean;
  readonly attempt_id: string;
  readonly psp_reference: string | null;
  readonly created_at: string;
  readonly phase: SendPhase;
  /** When the PSP may have got it first. Missing while it is unsent. */
  readonly sent_at?: string;
  /** The PSP itself says that this capture has failed: a report of an earlier success, if it comes late, is outdated. */
  readonly denied?: true;
  /** What was captured at the PSP, if that is another currency than the payment's. */
  readonly currency?: string;
  /** Lease of the worker that sends it. */
  readonly sending_until?: string;
  /** When the timer last sent it, or looked it up. */
  readonly asked_at?: string;
};

/** The connection that a bare token was first sent through. The token itself does not name its provider. */
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
  readonly phase: SendPhase;
  /**
   * When the PSP may have got it first: its idempotency key is valid from then on. Missing while it is unsent, and on
   * refunds of earlier releases, which were sent at `created_at`.
   */
  readonly sent_at?: string;
  /** An automatic refund: not in `amount_refunded`, and without events. */
  readonly automatic?: boolean;
  /** Of an automatic refund: it was made at the PSP by hand, in place of one of ours. */
  readonly adopted?: true;
  /** The currency that the PSP charged, if it differs from the payment's. */
  readonly currency?: string;
  /** A person ended its review without a result: the refund is neither polled nor sent again. */
  readonly given_up?: true;
  /**
   * Lease of the worker that sends it. Only one worker sends at a time, so it knows whether its send was the only one.
   */
  readonly sending_until?: string;
  /** When the timer last polled or sent it. */
  readonly asked_at?: string;
};

export type Review = {
  readonly reason: 'no_verdict' | 'amount_mismatch' | 'refund_failed' | 'capture_failed';
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
  /** The work that made the event, if another one has written the record since. */
  readonly trace?: string;
};

/** The idempotency claim that a created payment carries itself. */
export type CreateClaim = {
  /** Keyed hash of the request: the same key with another request is an error. */
  readonly request: string;
  /** The payment has changed since, so the response is stored in a separate item. */
  readonly kept?: boolean;
  /** Rebuilt from its provider after a restore: its request is not known, so any request with its key gets it. */
  readonly recovered?: true;
} & (
  | {
      readonly answered: false;
      /** The first request may still be running until then. */
      readonly lease_until: string;
    }
  /** The response is final: it shows the payment as it was after the write that set this. */
  | { readonly answered: true }
);

/**
 * A payment; stored as is. The API returns it without its internal fields. Records have the field names of the API in
 * the table as well, so that no layer renames them (docs/adr/0002).
 */
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
  /** What disputes withhold or have taken. Missing if it was never disputed; never part of `amount_refunded`. */
  readonly amount_disputed?: number;
  readonly refunds: readonly Refund[];
  readonly attempts: readonly Attempt[];
  readonly next_action: NextAction | null;
  readonly failure: Failure | null;
  readonly late_success: boolean;
  readonly review: Review | null;
  readonly routing: RoutingNote | null;
  readonly fraud: { readonly decision: string; readonly reasons: readonly string[] } | null;
  readonly payment_link_id: string | null;
  /** The invoice of a subscription that it pays; missing on other payments. */
  readonly invoice_id?: string;
  /** The saved payment method that it is charged with, or that it has made. */
  readonly payment_method_id?: string;
  /** Its money is captured later. Missing: it is captured at once, and the fields after it are missing too. */
  readonly capture?: 'manual';
  /** What the PSP authorized; it may be less than the amount. Null while nothing is authorized. */
  readonly authorized_amount?: number | null;
  /** The issuer approved less than the amount. */
  readonly partially_approved?: true;
  /** What succeeded captures took, and what of the authorization was given back. */
  readonly captured_amount?: number;
  readonly released_amount?: number;
  readonly capturable_until?: string | null;
  readonly captures?: readonly Capture[];
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on, listed in `INTERNAL_FIELDS`: no response contains them. */
  readonly version: number;
  readonly intent: boolean;
  readonly claim: CreateClaim | null;
  /** The sealed payment method (token, phone …) with the details that its charge passes on, while they are needed. */
  readonly sealed_method: string | null;
  /** It holds details alone: the customer chooses the card or account on the provider's page. */
  readonly details_only?: boolean;
  readonly return_url: string | null;
  /** Remaining connections for failover, in routing order. */
  readonly alternatives: readonly string[];
  readonly outbox: readonly EventStub[];
  /** Number of events announced so far. */
  readonly announced: number;
  /** The work that wrote this version, and its new events (see `namingWork`). */
  readonly trace?: string;
  /** The version of the secret of the tokens in its addresses at providers. Missing: 1. */
  readonly token_version?: number;
  /** Over how many partitions its organization's lists were spread when it was created. Missing: 4. */
  readonly list_shards?: number;
  /**
   * Only on the first payment of an idempotency key that was used again after its lifetime: the number of the newest
   * generation of the key (see `claimIdempotencyKey`).
   */
  readonly newest?: number;
  /** Still to be screened by the velocity rules of this version of the fraud policy before it is sent. */
  readonly unscreened?: number;
  /**
   * The id of the attempt that was not started, because there was no route or the payment was blocked. A repeat after a
   * crash gets the same response.
   */
  readonly unsent?: string;
  /** The slot of its payment link: until when it is reserved (missing once released), its state, and since when. */
  readonly link_hold?: {
    readonly until?: string;
    readonly became: 'held' | 'given_up' | 'paid' | 'overpaid';
    readonly at?: string;
  };
  /** Its payment method becomes a saved one of the customer, if the PSP keeps it. */
  readonly save?: true;
  /** Off-session: charged with a saved method, as the customer has agreed to. */
  readonly off_session?: true;
  /** The connection that its bare token belongs to. */
  readonly token_of?: TokenConnection;
  /** The collection attempt of its invoice that it was last used for, counted from 1. */
  readonly invoice_try?: number;
  /** Its invoice was already paid or canceled, so its money is refunded. */
  readonly invoice_unwanted?: true;
  /** A retry gave it a payment method of its own. Its result says nothing about the method of the subscription. */
  readonly own_method?: true;
  /** The operation that ended its last review. */
  readonly ended_review?: string;
  /** The latest workflow steps that tagged it: after a crash, a repeated step finds its work done. */
  readonly last_acts?: readonly string[];
  /**
   * The run that mails the receipt, or has mailed it. Written before the mail, so that no other run mails it too;
   * `pending` until it is mailed.
   */
  readonly receipt?: { readonly by: string; readonly at: string; readonly pending?: true };
  /** `payment.authorization_expiring` was announced for this `capturable_until`. */
  readonly expiry_announced?: string;
  readonly disputes?: readonly DisputedMoney[];
  /** Its customer is forgotten: nothing that identifies the payer is stored any more, whoever reports it. */
  readonly erased?: true;
  /** Of its customer's address, until the relay has filed the payment under it. */
  readonly mail_hash?: string;
  /**
   * When those of its events were made that have left the outbox, but for the first: in milliseconds after its creation,
   * the newest last. Missing on payments of earlier releases.
   */
  readonly event_ms?: readonly number[];
  /** Who asked for changes of it. */
  readonly acts?: readonly PaymentAct[];
  /** Its entry in the due index. */
  readonly due_at?: string;
  /** The items that hold refunds which do not fit into the item of the payment. */
  readonly refund_pages?: readonly RefundPage[];
  /** With `refund_pages`: `refunds` has the refunds of all pages too. Never stored. */
  readonly refunds_loaded?: true;
};

/**
 * What a dispute withholds or has taken. `amount`: of the payment's amount. `claimed`: of its charge, in the payment's
 * currency unless `currency` says another. `open`: the bank has not decided. Earlier releases stored `amount` alone.
 */
export type DisputedMoney = {
  readonly id: string;
  readonly amount: number;
  readonly attempt_id?: string;
  readonly claimed?: number;
  readonly currency?: string;
  readonly open?: true;
};

/** `by`: the user, or else the API key. `made`: the id of the refund, capture or attempt that came of it. */
export type PaymentAct = {
  readonly type: 'capture' | 'cancel' | 'end_review' | 'refund' | 'retry';
  readonly at: string;
  readonly by: string;
  readonly made?: string;
};

/** An item that holds refunds of a payment. `positions` are their places among all refunds. */
export type RefundPage = { readonly name: string; readonly positions: readonly number[]; readonly bytes: number };

export const INTERNAL_FIELDS = [
  'version',
  'intent',
  'claim',
  'sealed_method',
  'details_only',
  'return_url',
  'alternatives',
  'outbox',
  'announced',
  'trace',
  'token_version',
  'list_shards',
  'newest',
  'link_hold',
  'unscreened',
  'unsent',
  'save',
  'off_session',
  'token_of',
  'invoice_try',
  'invoice_unwanted',
  'own_method',
  'ended_review',
  'last_acts',
  'receipt',
  'expiry_announced',
  'disputes',
  'erased',
  'mail_hash',
  'event_ms',
  'acts',
  'due_at',
  'refund_pages',
  'refunds_loaded',
] as const satisfies readonly (keyof Payment)[];
