/** One signed message to an organization's server. */
export type Delivery = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
};

/** `statusCode` is null without a response; `error` then says why in a word or two, without addresses or secrets. */
export type DeliveryResult = {
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  /** The start of the response's body, if it is not a 2xx: see `responseStart`. */
  readonly response?: string;
  /** The endpoint's Retry-After, in seconds. */
  readonly retryAfter?: number;
};

/** Calls to addresses that organizations choose: https to globally reachable addresses only. */
export interface WebhookHttpPort {
  /** Throws `url_not_allowed` for a forbidden address; a name that does not resolve yet passes. */
  check(url: string): Promise<void>;
  /**
   * Checks the address again while connecting, follows no redirect, reads at most 16 KB of the response. Never throws.
   */
  post(delivery: Delivery): Promise<DeliveryResult>;
}
