/** What a page's script may send. A `*` would leave `Authorization` out. */
const SENT = 'Authorization, Content-Type, X-Service-Key, X-Org-Id, Idempotency-Key, X-Idempotency-Key';

/** Two hours, in seconds: no browser made from Chromium keeps it for longer. */
const MOST_AGE = 7_200;

/** Any page may call a public endpoint, by these methods. */
export const calledFromAnywhere = (methods: readonly string[]) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': SENT,
  'access-control-max-age': String(MOST_AGE),
});
