/** One signed message to an organization's server. */
export type Delivery = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
};

/** `statusCode` is null when no answer came; `error` then says why in one word or two, without addresses or secrets. */
export type DeliveryResult = {
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  /** Seconds, where the receiver asked for them. */
  readonly retryAfter?: number;
};

/** The way out to addresses that organizations choose: https to globally reachable addresses only. */
export interface ReceiverPort {
  /** Throws `url_not_allowed` for an address we never send to; a name that does not resolve yet passes. */
  check(url: string): Promise<void>;
  /** Checks the address again while connecting, follows no redirect, reads at most 16 KB of the answer. Never throws. */
  post(delivery: Delivery): Promise<DeliveryResult>;
}
