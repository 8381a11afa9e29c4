import type { Capabilities } from '#shared/domain/connection.model.ts';
import type { Decline, FailureCode } from '#shared/domain/declines.catalog.ts';
import type { NextAction } from '#shared/domain/payment.model.ts';
import type { Provider } from '#shared/domain/provider.model.ts';
import type { RefundDecline } from '#shared/domain/refund-failures.catalog.ts';

export type PspMode = 'sandbox' | 'live';

/** The PSP certainly did nothing: it was not reached (DNS, TCP, TLS), or it turned us away with a 429. Safe to go elsewhere. */
export class PspNotSent extends Error {
  override readonly name = 'PspNotSent';
  readonly reason: 'unreachable' | 'rate_limited';
  /** Seconds the PSP asked us to wait. */
  readonly retryAfter: number | undefined;
  constructor(reason: 'unreachable' | 'rate_limited', message: string, extra: { readonly cause?: unknown; readonly retryAfter?: number } = {}) {
    super(message, { cause: extra.cause });
    this.reason = reason;
    this.retryAfter = extra.retryAfter;
  }
}

/** The request left and no readable answer came: ask the same PSP, never go elsewhere. */
export class PspOutcomeUnknown extends Error {
  override readonly name = 'PspOutcomeUnknown';
}

/**
 * The PSP understood and refused: our request, credentials or configuration is wrong; no money moved. `account`: the
 * request may be right, and the account can't take any; all that a customer can bring about is `request`.
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

/** The PSP can't be asked for this at all, for what the payment brought: nothing was sent. */
export class PspUnasked extends PspRefused {
  readonly failure: FailureCode;
  constructor(failure: FailureCode, message: string) {
    super('request', message);
    this.failure = failure;
  }
}

/** `amount` in our minor units, as the PSP reports it; compared with the payment's before anything is believed. */
export type PspOutcome =
  | { readonly kind: 'succeeded'; readonly reference: string; readonly amount: number; readonly currency: string }
  | { readonly kind: 'requires_action'; readonly reference: string; readonly action: NextAction; readonly expires_at?: string }
  /** `taking`: a call of ours that takes its money went out and brought no answer, so that no look at the charge says that it is untouched. */
  | { readonly kind: 'processing'; readonly reference: string; readonly taking?: true }
  /** Not decided, and it may be the customer's turn still: what she was asked for stands, where the PSP does not show it again. */
  | { readonly kind: 'waiting'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reference: string | null; readonly decline: Decline }
  | { readonly kind: 'canceled'; readonly reference: string }
  /** Of a cancel alone: the PSP has taken the order to end the charge, and its word follows. */
  | { readonly kind: 'accepted'; readonly reference: string };

/** What of a charge a question is about. */
export type ChargeRef = {
  readonly reference: string;
  readonly paymentId: string;
  readonly attemptId: string;
  /**
   * Whether its money is still wanted. A charge that is only authorized, or approved by the customer, is captured while it
   * is; once the payment has ended, a look takes no money.
   */
  readonly wanted: boolean;
};

export type RefundRef = {
  readonly reference: string;
  readonly paymentId: string;
  /** Of the charge; null where only the refund is known. */
  readonly charge: string | null;
};

/** A refund as the PSP has it. */
export type SeenRefund = RefundOutcome & {
  readonly amount: number;
  readonly currency: string;
  /** Our refund's id, where it stands there. */
  readonly ours?: string;
};

export type RefundOutcome =
  | { readonly kind: 'succeeded'; readonly reference: string }
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'failed'; readonly reference: string | null; readonly decline: RefundDecline };

/** What a client gives to pay with. `token` is already the one for this provider. */
export type PaymentMethodInput = {
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

/** One charge. Everything in it is stored before the call, so that a repeat sends the same. */
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
  /** Where the PSP sends the customer back to (our own return page). */
  readonly returnUrl: string;
  /** Where this charge's callbacks go, with our keys in the query: for PSPs that are told an address with each charge. */
  readonly callbackUrl: string;
  /**
   * The customer is away, and has agreed to be charged: the PSP is told so, in its own form for stored credentials. Where the
   * issuer wants the customer, the outcome is a decline `authentication_required`, or `requires_action` with what she does.
   */
  readonly offSession: boolean;
  readonly metadata: PspMetadata;
  /** When the first send of this charge was. */
  readonly startedAt: string;
  /** What the payment's other attempts are called at their PSPs: none of them is this charge. */
  readonly others?: readonly string[];
};

export type RefundOrder = {
  readonly paymentId: string;
  /** Also the idempotency key at the PSP. */
  readonly refundId: string;
  /** Of the charge. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  /** Whether this gives back all that was charged. */
  readonly whole: boolean;
  readonly metadata: PspMetadata;
};

export type PspPing = { readonly accountName: string | null };

export type InboundCallback = {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they came: signatures cover these. */
  readonly rawBody: Buffer;
  readonly query: Readonly<Record<string, string | undefined>>;
};

/** `ours`: the attempt's or refund's own id, where the event names it; it must fit, whatever the metadata say. */
export type PaymentNews = {
  readonly kind: 'payment';
  readonly reference: string;
  readonly ours?: string;
  /** What the event itself says: believed, once its signature is checked, where the PSP has no look-up. */
  readonly told?: PspOutcome;
  /** The PSP doesn't say what changed: the charge's refunds are looked at too. */
  readonly refundsToo?: boolean;
};
export type RefundNews = {
  readonly kind: 'refund';
  readonly reference: string;
  readonly paymentReference: string | null;
  readonly ours?: string;
  readonly told?: SeenRefund;
};

/** What a callback is about, read before its signature can be checked: believe none of it yet. */
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
  /** Another host of the same provider; the adapter vouches for it. A host that simulates the provider serves it itself. */
  readonly host?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the record of calls and the simulators' scenarios; never sent as such. */
  readonly paymentId: string | null;
};

export type PspReply = { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>>; readonly text: string };

export type PspOperation = 'create' | 'confirm' | 'cancel' | 'refund' | 'fetch' | 'find' | 'fetch_refund' | 'ping' | 'authenticate' | 'certificate';

/** One HTTPS exchange with a provider. Throws `PspNotSent` or `PspOutcomeUnknown`; any status is an answer. */
export interface PspTransport {
  send(provider: Provider, request: PspRequest, deadline: Deadline): Promise<PspReply>;
}

/** The time that all PSP calls of one request share, by the monotonic clock. */
export interface Deadline {
  /** Milliseconds left, never below 0. */
  remaining(): number;
}

export type PspContext<C> = {
  readonly credentials: C;
  readonly send: (request: PspRequest) => Promise<PspReply>;
  readonly now: () => Date;
  /** Certificates (PEM) of the authorities whose signatures on a provider's certificate count. */
  readonly roots: () => readonly string[];
};

/** How the outcome of a charge that brought no answer is found out. */
export type UnknownOutcomeRule = {
  /** `repeat`: the same call with the same key brings the first call's answer. `find`: look it up by our reference. */
  readonly ask: 'repeat' | 'find';
  /**
   * What it means that `find` finds nothing some time after the send. `send_again`: the same call can't charge twice, so it
   * is made. `failed`: it could, so the charge has failed.
   */
  readonly absent?: 'send_again' | 'failed';
  /** How long the PSP keeps an idempotency key, ms; repeats stop at half of it. */
  readonly keyLife: number;
  /** The same for refunds, where it differs: long where the adapter looks a refund up before it sends it again. */
  readonly refundKeyLife?: number;
};

/**
 * One PSP. Outcomes are only explicit words of success or failure; trouble is one of `PspNotSent`, `PspOutcomeUnknown`,
 * `PspRefused` and never anything else. `C` is the provider's own credentials, revealed.
 */
export interface PspAdapter<C = unknown> {
  readonly provider: Provider;
  /** `{prefix}` is the account's own part of the host name (`PspRequest.hostPrefix`). */
  readonly baseUrls: Readonly<Record<PspMode, string>>;
  readonly capabilities: Capabilities;
  readonly unknownOutcome: UnknownOutcomeRule;
  /** The provider's credentials, with the mode that they say they are of; or the faults in them. */
  parseCredentials(
    input: unknown,
  ):
    | { readonly ok: true; readonly credentials: C; readonly mode?: PspMode }
    | { readonly ok: false; readonly faults: readonly { readonly path: string; readonly message: string }[] };
  /** Whether the provider can be asked for exactly this amount. */
  canExpress(amount: number, currency: string, viaHostedPage: boolean): boolean;
  /**
   * Whether this token is a saved method, which can be charged while the customer is away (`ChargeOrder.offSession`): not
   * one that a browser made for a single charge.
   */
  keepsToken(token: NonNullable<PaymentMethodInput['token']>, method: string): boolean;
  /** A provider that takes no payment without the customer's mail address. */
  readonly needsEmail?: true;
  create(order: ChargeOrder, psp: PspContext<C>): Promise<PspOutcome>;
  /** Goes on after a next action, with what the customer gave. */
  confirm(
    charge: { readonly reference: string; readonly order: ChargeOrder; readonly input: Readonly<Record<string, unknown>> },
    psp: PspContext<C>,
  ): Promise<PspOutcome>;
  /**
   * What of the parameters that the customer came back with goes on with the charge, as `input` of `confirm`; undefined
   * where the charge is only to be looked at.
   */
  readReturn?(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined;
  /**
   * Ends a charge that has not taken money. The answer is what the PSP then says of it. `PspRefused('state')` where it is
   * too late, or the PSP has no such call.
   */
  cancel(charge: ChargeRef, psp: PspContext<C>): Promise<PspOutcome>;
  /** Two sends of one refund at once would both be carried out: only a look at the PSP's list keeps them apart. */
  readonly unguardedRefunds?: true;
  refund(order: RefundOrder, psp: PspContext<C>): Promise<RefundOutcome>;
  /** `PspOutcomeUnknown`, without a call, at a PSP that has no look-up. */
  fetch(charge: ChargeRef, psp: PspContext<C>): Promise<PspOutcome>;
  /** By our own reference; `undefined` where the PSP has nothing (which may only mean: not yet). */
  find?(order: ChargeOrder, psp: PspContext<C>): Promise<PspOutcome | undefined>;
  fetchRefund(refund: RefundRef, psp: PspContext<C>): Promise<SeenRefund>;
  /** Every refund of a charge with our id on ours, at PSPs whose callbacks don't say which one they are about. */
  listRefunds?(charge: ChargeRef, psp: PspContext<C>): Promise<readonly SeenRefund[]>;
  /** A cheap authenticated call. */
  ping(psp: PspContext<C>): Promise<PspPing>;
  /** All readings of one callback; throws `PspRefused('request')` for what is not a callback of this PSP. */
  readCallback(callback: InboundCallback): readonly CallbackReading[];
  /** Its callbacks carry no signature and no news, only that there is some: they are looked into, and always answered with 200. */
  readonly unsignedCallbacks?: true;
  /** Makes calls only where the key to check with has to be fetched. */
  verifyCallback(callback: InboundCallback, psp: PspContext<C>): boolean | Promise<boolean>;
}
