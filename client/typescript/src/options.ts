/** Who calls: an API key, a service key with its organization, or the browser's own session. */
type Credential =
  | { readonly key: string }
  | { readonly serviceKey: string; readonly orgId: string }
  | { readonly session: true; readonly orgId?: string };

export type PayforkOptions = Credential & {
  /** Where the API is, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** How often a request is sent again at most. Default: 2. */
  readonly maxRetries?: number;
  /** For each try. Default: 35 seconds, which is longer than the API takes at most. */
  readonly timeoutMs?: number;
  /** For all tries of a request and the pauses between them. Default: no limit of its own. */
  readonly totalTimeoutMs?: number;
  /** Whom your own user interface acts for, for the audit log. */
  readonly actorId?: string;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
};

/** Of one request; they go before those of the client. */
export type RequestOptions = {
  /** Your own name for this operation, kept by you: then a repeat after a crash is the same operation. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  readonly totalTimeoutMs?: number;
  readonly actorId?: string;
};

/** An endpoint takes no input yet. It may later, in the same place. */
export type NoInput = { readonly [name: string]: never };
