/** What a page's script may read of an answer besides its body. */
const EXPOSED = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed';

/** For every answer of a public endpoint. Any page may read it, as no browser adds a credential to the request by itself. */
export const READ_FROM_ANYWHERE = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED } as const;
