import type { Decline, FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { RefundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { SentOutcome } from '#shared/domain/payments/verdict.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Capabilities, Provider } from '#shared/domain/routing/connection.model.ts';
import type { WebhookSecretOrigin } from '#shared/domain/routing/webhook-secret.rules.ts';
import type { FieldError } from '#shared/kernel/errors.ts';
import type {
  CaptureEvent,
  CaptureOrder,
  CaptureOutcome,
  ManualCapture,
  PspAuthorization,
} from '#shared/ports/capture.port.ts';
import type { ChargeReport, SaveOrder } from '#shared/ports/charge-report.port.ts';
import type { DisputeEvent, DisputeFacts, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';

/** The PSP certainly did nothing: it was not reached (DNS, TCP, TLS), or it responded with 429. Failover is safe. */
export class PspNotSent extends Error {
  override readonly name = 'PspNotSent';
  readonly reason: 'unreachable' | 'rate_limited';
  /** The PSP's Retry-After, in seconds. */
  readonly retryAfter: number | undefined;
  constructor(
    reason: 'unreachable' | 'rate_limited',
    message: string,
    extra: { readonly cause?: unknown; readonly retryAfter?: number } = {},
  ) {
    super(message, { cause: extra.cause });
    this.reason = reason;
    this.retryAfter = extra.retryAfter;
  }
}

/** The request was sent and there was no readable response. Query the same PSP; never fail over. */
export class PspOutcomeUnknown extends Error {
  override readonly name = 'PspOutcomeUnknown';
}

/**
 * The PSP refused the request: our request, credentials or configuration is wrong, and no money moved. `account`: the
 * account cannot make such requests at all. Anything that a customer can cause is `request`.
 */
export class PspRefused extends Error {
  override readonly name = 'PspRefused';
  readonly kind: 'credentials' | 'account' | 'request' | 'state' | 'not_found';
  readonly provider_code: string | null;
  constructor(kind: PspRefused['kind'], message: string, provider_code: string | null = null) {
    super(message);
    this.kind = kind;
    this.provider_code = provider_code;
  }
}

/** The PSP cannot express this payment. Nothing was sent. */
export class PspUnsupported extends PspRefused {
  readonly failure: FailureCode;
  constructor(failure: FailureCode, message: string) {
    super('request', message);
    this.failure = failure;
  }
}

/** What a charge came to, and what the PSP tells beside it. */
export type PspOutcome = ChargeReport & Verdict;

/** `amount`: as the PSP reports it, in our minor units. It is compared with the payment's before it counts. */
type Verdict =
  | { readonly kind: 'succeeded'; readonly reference: string; readonly amount: number; readonly currency: string }
  | {
      readonly kind: 'requires_action';
      readonly reference: string;
      readonly action: NextAction;
      readonly expires_at?: string;
    }
  /**
   * Of a charge with `capture: 'manual'`: the amount is reserved at the customer's bank, and nothing has moved. It may
   * be less than was asked for.
   */
  | {
      readonly kind: 'authorized';
      readonly reference: string;
      readonly amount: number;
      readonly currency: string;
      readonly capturable_until?: string;
    }
  /** `captureUnknown`: our capture got no response, so a look-up cannot prove that the charge is unpaid. */
  | { readonly kind: 'processing'; readonly reference: string; readonly captureUnknown?: true }
  /**
   * Undecided, and the customer may still have to act. Their next action stays, as the PSP does not return it again.
   */
  | { readonly kind: 'waiting'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reference: string | null; readonly decline: Decline }
  /** `expired`: nobody canceled it, its authorization ran out. */
  | { readonly kind: 'canceled'; readonly reference: string; readonly expired?: true }
  /** Of a cancel only: the PSP has accepted the cancel, and its result follows. */
  | { readonly kind: 'accepted'; readonly reference: string };

/** A charge to look up or cancel. */
export type ChargeRef = {
  readonly reference: string;
  readonly paymentId: string;
  readonly attemptId: string;
  /**
   * Whether a look-up may capture the charge, if it is authorized or approved by the customer. False once the payment
   * has ended: then a look-up takes no money.
   */
  readonly mayCapture: boolean;
  /** Its money is captured later (`ChargeOrder.capture`). A look-up says `authorized`, also after captures. */
  readonly manual?: true;
};

export type RefundRef = {
  readonly reference: string;
  readonly paymentId: string;
  /** The charge's reference; null if only the refund is known. */
  readonly charge: string | null;
};

/** A refund as the PSP has it. */
export type PspRefund = RefundOutcome & {
  readonly amount: number;
  readonly currency: string;
  /** Our refund's id that the PSP returns; null if it returns none of ours, and undefined if it returns no ids. */
  readonly ourId?: string | null | undefined;
};

/** `refunds` and `disputes`: undefined if they were not read. */
export type ChargeWithRefunds = {
  readonly outcome: PspOutcome;
  readonly refunds: readonly PspRefund[] | undefined;
  readonly disputes?: readonly PspDispute[];
};

export type RefundOutcome = SentOutcome<RefundDecline>;

/** Charges, or refunds, that a PSP made in [from, until). `cursor`: the `next` of the page before. */
export type TransactionQuery = {
  readonly kind: 'charge' | 'refund';
  readonly from: Date;
  readonly until: Date;
  readonly cursor?: string;
};

/** One line of a PSP's list, with those of our ids that the PSP returns there. */
export type PspTransaction = {
  /** The charge's reference, also of a refund, as `fetch` takes it. */
  readonly reference: string;
  readonly ids: Partial<PspMetadata>;
  readonly attemptId?: string | undefined;
  /** What a charge asked for, in our minor units. Undefined if it is not understood, or of a refund. */
  readonly money?: { readonly amount: number; readonly currency: string } | undefined;
  readonly description?: string | undefined;
  readonly at: string;
};

export type TransactionPage = { readonly items: readonly PspTransaction[]; readonly next?: string | undefined };

/**
 * The account's charges or refunds of a time range, ours and others', in any order: for finding ours that our own
 * records have lost. A PSP without such a list has none, and its `noTransactionList` says what to do instead.
 */
export type TransactionList<C = unknown> = (query: TransactionQuery, psp: PspContext<C>) => Promise<TransactionPage>;

/** A client's payment method. `token` is already the one for this provider. */
type PaymentMethodInput = {
  readonly type: string;
  readonly token?: string | Readonly<Record<string, string>>;
  readonly phone?: string;
  readonly network?: string;
  readonly [extra: string]: unknown;
};

/** The only metadata a PSP ever sees. */
export type PspMetadata = {
  readonly org_id: string;
  readonly connection_id: string;
  readonly payment_id: string;
  readonly customer_email?: string;
};

/** One charge. All of it is stored before the call, so that a repeat sends the same. */
export type ChargeOrder = {
  readonly paymentId: string;
  /** Also the idempotency key at the PSP. */
  readonly attemptId: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly country: string | null;
  readonly description: string | null;
  readonly customerEmail: string | null;
  readonly customerIp: string | null;
  readonly paymentMethod: PaymentMethodInput;
  /** The PSP's return URL (our own return page). */
  readonly returnUrl: string;
  /** The callback URL of this charge, with our ids in the query: for PSPs that take one with each charge. */
  readonly callbackUrl: string;
  /**
   * The customer is absent and has agreed to be charged. The PSP learns this from its fields for stored credentials. If
   * the issuer requires the customer, the outcome is a decline `authentication_required`, or `requires_action`.
   */
  readonly offSession: boolean;
  readonly metadata: PspMetadata;
  /** Its money is only reserved, and captured by `capture`. Missing: it is captured at once. */
  readonly capture?: 'manual';
  readonly details?: PaymentDetails;
  readonly save?: SaveOrder;
  /** The time of this charge's first send. */
  readonly startedAt: string;
  /** The PSP's references of the payment's other attempts. None of them is this charge. */
  readonly otherReferences?: readonly string[];
};

/** A charge whose client names a network, such as the operator of mobile money. */
export type NetworkChoice = Pick<ChargeOrder, 'method' | 'currency' | 'country'> & { readonly network: string };

export type RefundOrder = {
  readonly paymentId: string;
  /** Also the idempotency key at the PSP. */
  readonly refundId: string;
  /** The charge's reference. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: PspMetadata;
  /** When it was first sent. */
  readonly sentAt?: string;
  /** It may have been sent before: by a worker that died, or without a response. */
  readonly isRepeat?: boolean;
  /** An earlier release sent it first. A repeat under its key must be the same as then. */
  readonly isOfEarlierRelease?: boolean;
  /** The succeeded captures of a charge with `capture: 'manual'`, for a PSP that refunds a capture and no charge. */
  readonly captures?: readonly { readonly reference: string; readonly amount: number }[];
};

export type PspPing = { readonly accountName: string | null };

export type InboundCallback = {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they were sent: signatures cover these. */
  readonly rawBody: Buffer;
  /** What they say, if they were sent compressed. */
  readonly decompressed?: Buffer | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
};

/**
 * What a signature has to show: that the PSP sent the event about the connection's account, or only that the PSP sent
 * it. One endpoint may get the events of several accounts. `account` is the default, and what an event is applied with.
 */
export type CallbackProof = 'account' | 'sender';

/** `ourId`: our attempt's or refund's id, if the event has it. It must match, whatever the metadata say. */
export type PaymentEvent = {
  readonly kind: 'payment';
  readonly reference: string;
  readonly ourId?: string;
  /** The event's own outcome. It counts, once the signature is verified, where the PSP has no look-up. */
  readonly reported?: PspOutcome;
  /** The event does not say what changed, so the charge's refunds are read too. */
  readonly includesRefunds?: boolean;
};
export type RefundEvent = {
  readonly kind: 'refund';
  readonly reference: string;
  readonly paymentReference: string | null;
  readonly ourId?: string;
  readonly reported?: PspRefund;
};

/** How an event names a charge. Null if it names only a refund of it. */
export type ChargeOfEvent = { readonly reference: string | null; readonly refund?: string };

/** What a callback says, read before its signature can be verified. */
export type UnverifiedEvent = {
  readonly eventId: string;
  readonly type: string;
  /** When it happened, at a PSP whose charges cannot be looked up. No signature covers it. */
  readonly at?: string;
  /** `ignored`: a well-formed event of a type that we do not use. */
  readonly subject: { readonly kind: 'ignored' } | PaymentEvent | RefundEvent | CaptureEvent | DisputeEvent;
  readonly routing: { readonly org_id?: string; readonly connection_id?: string; readonly payment_id?: string };
};

export type PspRequest = {
  readonly operation: PspOperation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the provider's base address, beginning with a slash. */
  readonly path: string;
  /** The account's own part of the host name, at providers that have one. */
  readonly hostPrefix?: string;
  /** Another host of the same provider, which the adapter has checked. A simulator serves it itself. */
  readonly host?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For call records and the simulators' scenarios; never sent. */
  readonly paymentId: string | null;
};

export type PspResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
};

export type PspOperation =
  | 'create'
  | 'confirm'
  | 'cancel'
  | 'refund'
  | 'fetch'
  | 'find'
  | 'list'
  | 'fetch_refund'
  | 'capture'
  | 'dispute'
  | 'ping'
  | 'authenticate'
  | 'certificate';

/** One HTTPS exchange with a provider. Throws `PspNotSent` or `PspOutcomeUnknown`. Any status is a response. */
export interface PspTransport {
  send(provider: Provider, request: PspRequest, deadline: Deadline): Promise<PspResponse>;
}

/** The shared time budget of one request's PSP calls, by the monotonic clock. */
export interface Deadline {
  /** The whole budget in milliseconds. */
  readonly total: number;
  /** Milliseconds left, never below 0. */
  remaining(): number;
}

export type PspContext<C> = {
  readonly credentials: C;
  readonly send: (request: PspRequest) => Promise<PspResponse>;
  readonly now: () => Date;
  /** Certificates (PEM) of the authorities that may sign a provider's certificate. */
  readonly rootCertificates: () => readonly string[];
};

/** How to find the outcome of a charge that got no response. */
export type UnknownOutcomeRule = {
  /** `repeat`: the same call with the same key returns the first call's response. `find`: search by our reference. */
  readonly resolveBy: 'repeat' | 'find';
  /**
   * What an empty `find` means some time after the send. `send_again`: the call cannot charge twice, so it is repeated.
   * `failed`: it could charge twice, so the charge counts as failed.
   */
  readonly ifNotFound?: 'send_again' | 'failed';
  /** How long the PSP keeps an idempotency key. Repeats stop at half of it. */
  readonly keyLifetimeMs: number;
  /** The same for refunds, if different. It is long where the adapter searches for a refund before it sends it. */
  readonly refundKeyLifetimeMs?: number;
};

/** What is known of a PSP without calling it: routing and pages decide by it. */
export interface PspFacts {
  readonly provider: Provider;
  /** `{prefix}` is the account's part of the host name (`PspRequest.hostPrefix`). */
  readonly baseUrls: Readonly<Record<Stage, string>>;
  readonly capabilities: Capabilities;
  readonly unknownOutcome: UnknownOutcomeRule;
  /** Default: the provider gives it. */
  readonly webhookSecretOrigin?: WebhookSecretOrigin;
  /** Whether the provider can charge exactly this amount. A refund has no method. */
  supportsAmount(amount: number, currency: string, viaHostedPage: boolean, method?: string): boolean;
  /**
   * Whether this token is a saved method that can be charged off-session, and not one made in a browser for a single
   * charge.
   */
  isReusableToken(token: NonNullable<PaymentMethodInput['token']>, method: string): boolean;
  /**
   * The networks to choose from, if the charge names one that the provider does not know; undefined if it knows it, or
   * needs none. Without this, any name is passed on.
   */
  networksToChooseFrom?(charge: NetworkChoice): readonly string[] | undefined;
  /** The references that a charge may have until its own is known. They lead callbacks without metadata to it. */
  earlyReferences?(attemptId: string): readonly string[];
  /** Missing: it can't capture later. */
  readonly manualCapture?: ManualCapture;
  /** Methods of which it keeps a charge's card or account, if the charge has `save`. Missing: none. */
  readonly savesMethods?: readonly string[];
  /** Missing: it has no disputes that we could learn of. */
  readonly disputes?: DisputeFacts;
  /** The provider requires the customer's mail address. */
  readonly requiresEmail?: true;
  /**
   * Which of the customer's return parameters continue the charge, as `input` of `confirm`. If undefined, the charge is
   * only looked up.
   */
  readReturn?(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined;
  /** The PSP would execute a refund that is sent twice. Only a search among its refunds prevents that. */
  readonly nonIdempotentRefunds?: true;
  /** The PSP lists the refunds of a charge: it has `listRefunds`. */
  readonly hasRefundList?: true;
  /** Why it cannot list what it made in a time range, and what a person can read instead. */
  readonly noTransactionList?: string;
  /** It lists what it made only after this time, in ms. Default: at once. */
  readonly transactionListLagMs?: number;
  /** Its callbacks are unsigned and only say that something changed: we look the charge up, and always respond 200. */
  readonly unsignedCallbacks?: true;
  /** The body of the response to a callback that was received. Missing: the PSP looks at the status alone. */
  readonly callbackReply?: string;
}

/** A PSP whose adapter is loaded when it is first used: a function rarely uses all of them. */
export interface PspProvider extends PspFacts {
  load(): Promise<PspAdapter>;
}

/**
 * One PSP. Only explicit successes and failures are outcomes. Everything else throws `PspNotSent`, `PspOutcomeUnknown`
 * or `PspRefused`. `C`: the provider's credentials, revealed.
 */
export interface PspAdapter<C = unknown> extends PspFacts {
  /** Validates the provider's credentials. Returns them with the mode that they belong to, or their faults. */
  parseCredentials(
    input: unknown,
  ):
    | { readonly ok: true; readonly credentials: C; readonly mode?: Stage }
    | { readonly ok: false; readonly faults: readonly FieldError[] };
  create(order: ChargeOrder, psp: PspContext<C>): Promise<PspOutcome>;
  /** Continues after a next action, with the customer's input. */
  confirm(
    charge: {
      readonly reference: string;
      readonly order: ChargeOrder;
      readonly input: Readonly<Record<string, unknown>>;
    },
    psp: PspContext<C>,
  ): Promise<PspOutcome>;
  /**
   * Cancels a charge that has taken no money, and returns its outcome. Throws `PspRefused('state')` if it is too late,
   * or the PSP has no such call.
   */
  cancel(charge: ChargeRef, psp: PspContext<C>): Promise<PspOutcome>;
  refund(order: RefundOrder, psp: PspContext<C>): Promise<RefundOutcome>;
  /** Throws `PspOutcomeUnknown` without a call, if the PSP has no look-up. */
  fetch(charge: ChargeRef, psp: PspContext<C>): Promise<PspOutcome>;
  /** Searches by our own reference. `undefined` if the PSP has nothing (yet). */
  find?(order: ChargeOrder, psp: PspContext<C>): Promise<PspOutcome | undefined>;
  /** The charge with all of its refunds, where one call reads both. */
  fetchWithRefunds?(charge: ChargeRef, psp: PspContext<C>): Promise<ChargeWithRefunds>;
  fetchRefund(refund: RefundRef, psp: PspContext<C>): Promise<PspRefund>;
  /** All refunds of a charge; ours have our ids. Only a PSP without such a list leaves it out. */
  listRefunds?(charge: ChargeRef, psp: PspContext<C>): Promise<readonly PspRefund[]>;
  /** Takes an authorized charge's money, or a part of it. With `PspFacts.manualCapture` only. */
  capture?(order: CaptureOrder, psp: PspContext<C>): Promise<CaptureOutcome>;
  /** What is authorized and captured. Left out if the PSP has no look-up: then its callbacks tell. */
  fetchAuthorization?(charge: ChargeRef, psp: PspContext<C>): Promise<PspAuthorization>;
  /**
   * Those of our ids that the PSP keeps with a charge: none with one of another system. Undefined if the PSP has no such
   * charge. For events that name nothing of ours; left out if the PSP has no look-up.
   */
  chargeIds?(charge: ChargeOfEvent, psp: PspContext<C>): Promise<PspTransaction['ids'] | undefined>;
  /** Loaded when it is first used: payments never need it. With `PspFacts.disputes` only. */
  readonly disputeCalls?: () => Promise<PspDisputes<C>>;
  /** A cheap authenticated call. */
  ping(psp: PspContext<C>): Promise<PspPing>;
  /**
   * The types of events to register for our webhook: each callback costs a delivery, so none that only repeats another.
   * Others are read too, if a merchant registers them. Missing: the PSP lets nobody choose.
   */
  readonly registeredEvents?: readonly string[];
  /** All events in one callback. Throws `PspRefused('request')` for what is not a callback of this PSP. */
  parseCallback(callback: InboundCallback): readonly UnverifiedEvent[];
  /** Calls the PSP only to fetch the key that verifies the signature. */
  verifyCallback(callback: InboundCallback, psp: PspContext<C>, proof?: CallbackProof): boolean | Promise<boolean>;
  /** Whether nothing signs the body of this verified callback. Left out where every callback's body is signed. */
  isUnsigned?(callback: InboundCallback, psp: Pick<PspContext<C>, 'credentials'>): boolean;
}
