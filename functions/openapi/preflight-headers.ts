/** Headers that a page's script may send. A `*` would not cover `Authorization`. */
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

/** A dashboard's page may call what a session opens; the browser sends the cookie along. */
export const calledFromDashboard = (origin: string, methods: readonly string[]) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'Content-Type, X-Org-Id, Idempotency-Key, X-Idempotency-Key',
  'access-control-max-age': String(MOST_AGE),
  vary: 'origin',
});
