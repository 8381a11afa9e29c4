import type { Decline, FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import type { RefundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Capabilities } from '#shared/domain/routing/connection.model.ts';
import type { FieldFault } from '#shared/kernel/errors.ts';

/** The PSP certainly did nothing: it was not reached (DNS, TCP, TLS), or it answered 429. Failover is safe. */
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

/** The request was sent and no readable answer came: ask the same PSP, never fail over. */
export class PspOutcomeUnknown extends Error {
  override readonly name = 'PspOutcomeUnknown';
}

/**
 * The PSP understood and refused: our request, credentials or configuration is wrong; no money moved. `account`: the
 * account can take no such request, right or not; anything that a customer can cause is `request`.
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

/** The PSP can't express this, because of the payment's own data: nothing was sent. */
export class PspUnasked extends PspRefused {
  readonly failure: FailureCode;
  constructor(failure: FailureCode, message: string) {
    super('request', message);
    this.failure = failure;
  }
}

/** `amount` in our minor units, as the PSP reports it; compared with the payment's before it counts. */
export type PspOutcome =
  | { readonly kind: 'succeeded'; readonly reference: string; readonly amount: number; readonly currency: string }
  | {
      readonly kind: 'requires_action';
      readonly reference: string;
      readonly action: NextAction;
      readonly expires_at?: string;
    }
  /** `taking`: our call that takes its money brought no answer, so a look-up can't prove the charge untouched. */
  | { readonly kind: 'processing'; readonly reference: string; readonly taking?: true }
  /**
   * Undecided, and maybe still the customer's turn: their pending action stays, where the PSP does not show it again.
   */
  | { readonly kind: 'waiting'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reference: string | null; readonly decline: Decline }
  | { readonly kind: 'canceled'; readonly reference: string }
  /** Of a cancel only: the PSP has accepted the order to end the charge, and its result follows. */
  | { readonly kind: 'accepted'; readonly reference: string };

/** The charge that a question is about. */
export type ChargeRef = {
  readonly reference: string;
  readonly paymentId: string;
  readonly attemptId: string;
  /**
   * Whether its money is still wanted. While it is, a look-up captures a charge that is authorized, or approved by the
   * customer; once the payment has ended, a look-up takes no money.
   */
  readonly wanted: boolean;
};

export type RefundRef = {
  readonly reference: string;
  readonly paymentId: string;
  /** The charge's reference; null where only the refund is known. */
  readonly charge: string | null;
};

/** A refund as the PSP has it. */
export type SeenRefund = RefundOutcome & {
  readonly amount: number;
  readonly currency: string;
  /** Our refund's id, where the PSP shows it. */
  readonly ours?: string;
};

export type RefundOutcome =
  | { readonly kind: 'succeeded'; readonly reference: string }
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'failed'; readonly reference: string | null; readonly decline: RefundDecline };

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

/** One charge. It is all stored before the call, so that a repeat sends the same. */
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
  /** The callback URL of this charge, with our keys in the query: for PSPs that take one with each charge. */
  readonly callbackUrl: string;
  /**
   * Off-session: the customer has agreed to be charged, and the PSP is told so in its form for stored credentials.
   * Where the issuer requires the customer, the outcome is a decline `authentication_required`, or `requires_action`.
   */
  readonly offSession: boolean;
  readonly metadata: PspMetadata;
  /** The time of this charge's first send. */
  readonly startedAt: string;
  /** The PSP references of the payment's other attempts: none of them is this charge. */
  readonly others?: readonly string[];
};

export type RefundOrder = {
  readonly paymentId: string;
  /** Also the idempotency key at the PSP. */
  readonly refundId: string;
  /** The charge's reference. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  /** Whether it refunds the whole charge. */
  readonly whole: boolean;
  readonly metadata: PspMetadata;
};

export type PspPing = { readonly accountName: string | null };

export type InboundCallback = {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The raw bytes: signatures cover these. */
  readonly rawBody: Buffer;
  readonly query: Readonly<Record<string, string | undefined>>;
};

/** `ours`: the attempt's or refund's own id, where the event has it; it must match, whatever the metadata say. */
export type PaymentNews = {
  readonly kind: 'payment';
  readonly reference: string;
  readonly ours?: string;
  /** The event's own verdict: used, once its signature is checked, where the PSP has no look-up. */
  readonly told?: PspOutcome;
  /** The PSP doesn't say what changed: the charge's refunds are read too. */
  readonly refundsToo?: boolean;
};
export type RefundNews = {
  readonly kind: 'refund';
  readonly reference: string;
  readonly paymentReference: string | null;
  readonly ours?: string;
  readonly told?: SeenRefund;
};

/** What a callback is about, read before its signature can be checked: unverified. */
export type CallbackReading = {
  readonly eventId: string;
  readonly type: string;
  /** `ignored`: a well-formed event of a type we don't use. */
  readonly subject: { readonly kind: 'ignored' } | PaymentNews | RefundNews;
  readonly routing: { readonly org_id?: string; readonly connection_id?: string; readonly payment_id?: string };
};

export type PspRequest = {
  readonly operation: PspOperation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the provider's base address, beginning with a slash. */
  readonly path: string;
  /** The account's own part of the host name, at providers that have one. */
  readonly hostPrefix?: string;
  /** Another host of the same provider, which the adapter vouches for. A simulating host serves it itself. */
  readonly host?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For call records and the simulators' scenarios; never sent. */
  readonly paymentId: string | null;
};

export type PspReply = {
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
  | 'fetch_refund'
  | 'ping'
  | 'authenticate'
  | 'certificate';

/** One HTTPS exchange with a provider. Throws `PspNotSent` or `PspOutcomeUnknown`; any status is an answer. */
export interface PspTransport {
  send(provider: Provider, request: PspRequest, deadline: Deadline): Promise<PspReply>;
}

/** The shared time budget of one request's PSP calls, by the monotonic clock. */
export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
}

export type PspContext<C> = {
  readonly credentials: C;
  readonly send: (request: PspRequest) => Promise<PspReply>;
  readonly now: () => Date;
  /** Certificates (PEM) of the authorities that may sign a provider's certificate. */
  readonly roots: () => readonly string[];
};

/** How to find out the outcome of a charge without an answer. */
export type UnknownOutcomeRule = {
  /** `repeat`: the same call with the same key returns the first call's answer. `find`: search by our reference. */
  readonly ask: 'repeat' | 'find';
  /**
   * What an empty `find` means some time after the send. `send_again`: the call can't charge twice, so it is repeated.
   * `failed`: it could, so the charge counts as failed.
   */
  readonly absent?: 'send_again' | 'failed';
  /** How long the PSP keeps an idempotency key, ms; repeats stop at half of it. */
  readonly keyLife: number;
  /** The same for refunds, if different: long where the adapter searches for a refund before it sends it again. */
  readonly refundKeyLife?: number;
};

/**
 * One PSP. Outcomes are explicit successes or failures only; trouble is always `PspNotSent`, `PspOutcomeUnknown` or
 * `PspRefused`. `C` is the provider's own credentials, revealed.
 */
export interface PspAdapter<C = unknown> {
  readonly provider: Provider;
  /** `{prefix}` is the account's part of the host name (`PspRequest.hostPrefix`). */
  readonly baseUrls: Readonly<Record<Stage, string>>;
  readonly capabilities: Capabilities;
  readonly unknownOutcome: UnknownOutcomeRule;
  /** Validates the provider's credentials: the parsed ones with the mode they belong to, or their faults. */
  parseCredentials(
    input: unknown,
  ):
    | { readonly ok: true; readonly credentials: C; readonly mode?: Stage }
    | { readonly ok: false; readonly faults: readonly FieldFault[] };
  /** Whether the provider can express exactly this amount. */
  canExpress(amount: number, currency: string, viaHostedPage: boolean): boolean;
  /**
   * Whether this token is a saved method that can be charged off-session (`ChargeOrder.offSession`), and not one made
   * in a browser for a single charge.
   */
  keepsToken(token: NonNullable<PaymentMethodInput['token']>, method: string): boolean;
  /** The provider requires the customer's mail address. */
  readonly needsEmail?: true;
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
   * Which of the customer's return parameters continue the charge, as `input` of `confirm`; undefined where the charge
   * is only looked up.
   */
  readReturn?(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined;
  /**
   * Ends a charge that has not taken money; answers the PSP's status of it. Throws `PspRefused('state')` where it is
   * too late, or the PSP has no such call.
   */
  cancel(charge: ChargeRef, psp: PspContext<C>): Promise<PspOutcome>;
  /** Two sends of one refund would both be executed: only a search among the PSP's refunds prevents that. */
  readonly unguardedRefunds?: true;
  refund(order: RefundOrder, psp: PspContext<C>): Promise<RefundOutcome>;
  /** `PspOutcomeUnknown`, without a call, at a PSP that has no look-up. */
  fetch(charge: ChargeRef, psp: PspContext<C>): Promise<PspOutcome>;
  /** Searches by our own reference; `undefined` where the PSP has nothing (yet). */
  find?(order: ChargeOrder, psp: PspContext<C>): Promise<PspOutcome | undefined>;
  fetchRefund(refund: RefundRef, psp: PspContext<C>): Promise<SeenRefund>;
  /** All refunds of a charge, ours with our ids, at PSPs whose callbacks don't name their refund. */
  listRefunds?(charge: ChargeRef, psp: PspContext<C>): Promise<readonly SeenRefund[]>;
  /** A cheap authenticated call. */
  ping(psp: PspContext<C>): Promise<PspPing>;
  /** All readings of one callback; throws `PspRefused('request')` for what is not a callback of this PSP. */
  readCallback(callback: InboundCallback): readonly CallbackReading[];
  /**
   * Its callbacks are unsigned and only say that something changed: they lead to a look-up, and are always answered
   * with 200.
   */
  readonly unsignedCallbacks?: true;
  /** Makes calls only to fetch the key to check with. */
  verifyCallback(callback: InboundCallback, psp: PspContext<C>): boolean | Promise<boolean>;
}
