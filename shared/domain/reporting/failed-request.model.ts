/**
 * A request that the API refused, or failed to serve. Nothing of what was sent is in it but the id of a record of ours:
 * no body, no query, no address.
 */
export type FailedRequest = {
  readonly request_id: string;
  /** What the caller sent as `X-Request-Id`. */
  readonly client_request_id: string | null;
  readonly created_at: string;
  readonly method: string;
  /** The path of the endpoint, with names for what was sent: `/v1/payments/{id}`. */
  readonly route: string;
  /** The id in the path, if it has the form of one of ours. */
  readonly resource_id: string | null;
  readonly status: number;
  readonly code: string;
  readonly credential_id: string;
  readonly credential_kind: 'service' | 'secret' | 'public' | 'session';
};

/** Then the store deletes it. */
export const FAILED_REQUEST_DAYS = 7;

/** Of requests that are alike (credential, endpoint, code) a process keeps so many in a minute. */
export const MAX_ALIKE_PER_MINUTE = 3;

/**
 * An organization keeps so many in a minute, whatever it sends. Everybody can use a public key: its requests have a
 * share of their own, so that strangers cannot push those of the organization's servers out.
 */
export const MAX_KEPT_PER_MINUTE = { servers: 20, public: 5 } as const;
export type FailedRequestShare = keyof typeof MAX_KEPT_PER_MINUTE;

export const shareOf = ({ credential_kind }: Pick<FailedRequest, 'credential_kind'>): FailedRequestShare =>
  credential_kind === 'public' ? 'public' : 'servers';
