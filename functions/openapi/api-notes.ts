/** What holds for every endpoint, for who reads the document; where the specification is silent, it is decided here. */
export const INFO = {
  title: 'Payfork',
  version: 'v1',
  summary: 'Payment orchestration over your own accounts at payment service providers.',
  description: `Identifiers are text with a prefix that names their type, and sort by time. Timestamps are UTC, ISO 8601 with milliseconds and \`Z\`.
Money is a whole number of the currency's minor unit. A field without a value is \`null\`. Answers may gain fields.

**Errors** have \`error\`, \`code\` and \`message\`. A declined payment is no error: it answers 200 or 201 with \`status: "failed"\` and \`failure\`.
Another organization's resource is answered like one that never existed, an unknown route with 404 and \`route_not_found\`. A body may have
256 KiB. What does not reach us (a body over 10 MB, an overload) is answered by the gateway with \`message\` alone.

**Idempotency**: the same key with the same request brings the stored answer, marked \`Idempotency-Replayed: true\`. While the first request runs
it is 409, with another request 422. After a crash or a 5xx a retry with the same key continues the same operation.

**Lists** are newest first. \`limit\` is 1 to 200, by default 50; \`Link\` leads to the next page, however deep, beyond the most that \`offset\` takes.

**Subscriptions** are charged while the customer is away, through connections whose provider can do that. Each period has one invoice, and periods that
were missed are caught up with, in order. When the tries that the retry policy allows are used up, the invoice is \`failed\` and the subscription
\`paused\`; paying that invoice later doesn't resume it.

**Rate limits** count by the clock's minutes and tens of seconds: 100 payment creations, 100 other writes and 500 reads a minute, 200 requests
in ten seconds, for each key. Without a valid key the address counts, with a public key each address by itself.

**Plans** limit, in production alone, how many payments are created in a calendar month (UTC), and how many connections and API keys there are:
\`free\` 100, 2 and 5, \`growth\` 10 000, 20 and 50, \`scale\` as many as you like. Beyond it is 402 with \`details\` of \`metric\`, \`used\`, \`limit\` and
\`reset\`, the end of the month, all of them text; nothing is stored, and the same idempotency key may be sent again. A repeat of what was accepted
is answered as ever. A/B tests are made from \`growth\` on. Until its identity verification is approved, an organization's live keys are 403.

**Browsers** call what takes a public key, from any origin (CORS, without credentials). The rest of the API is for servers, and for the dashboards' own origins, which
act with a session: its cookie opens what a key opens, as far as the user's role in the organization named by \`X-Org-Id\` goes. No other page can read it.`,
} as const;

/** A sentence about each group of routes. */
export const GROUP_NOTES: Readonly<Record<string, string | undefined>> = {
  'api-keys': 'Keys for servers, and public ones for checkouts. A key is shown once.',
  connections: "An organization's own accounts at providers.",
  'routing-rules': 'Which connection takes which payments; the rest is left to default routing.',
  'ab-tests': 'Which of several routing rules does better, tried on the payments themselves.',
  payments: 'Charges and refunds, routed to those accounts.',
  'payment-links': 'Pages of ours where customers pay, without a line of code at the merchant.',
  subscriptions: 'Customers who are charged each period, while they are away.',
  invoices: 'What a subscription owes for a period, one each; tried again by the retry policy until it is paid.',
  policies: 'What is stopped before any provider hears of it, and when a failed invoice is tried again.',
  webhooks: "Events, and where they are sent: the organization's own server.",
  'psp-webhooks': 'What providers call back; configured at the provider, not for API clients.',
  auth: 'People sign in by a mailed link or a passkey; a session is a cookie.',
  organizations: 'The organization itself, and who belongs to it, as what.',
  platform: 'For those who run the service: all organizations, their identities and plans. Each act is kept in the audit log.',
  openapi: 'This document.',
};
