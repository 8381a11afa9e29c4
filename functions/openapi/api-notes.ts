/**
 * Notes on all endpoints, for readers of the document; where the specification is silent, the decision is written here.
 */
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

**Lists** are newest first. \`limit\` is 1 to 200, by default 50; \`Link\` leads to the next page, however deep, beyond the most that \`offset\` takes. A page
ends early where it would be too large to be answered: only a missing \`Link\` says that it is the last.

**Events** may arrive twice, under the same id. One that could not be delivered, by nine tries within two days or more where time was asked for, is \`failed\`:
\`GET /v1/webhooks/events?status=failed\` lists those, and \`POST /v1/webhooks/events/replay\` has all of some time sent again, the oldest first. It answers
before they are sent, and what fails again stays \`failed\`.
A receiver that answers 410, or has taken nothing for 5 days and fails an event for the fifth time or later, is turned off by itself: what it subscribed to is \`failed\` without a try, until the configuration
is saved again. After \`POST /v1/webhooks/config/rotate-secret\` both secrets sign for 24 hours: \`webhook-signature\` has a signature by each, separated by a space, the newest
first, and \`X-Service-Signature\` is made with the oldest that is still valid. Take the new secret into use beside the old one, and drop that when its time is over.

**Subscriptions** are charged while the customer is away, through connections whose provider can do that. Each period has one invoice, and periods that
were missed are caught up with, in order. When the tries that the retry policy allows are used up, the invoice is \`failed\` and the subscription
\`paused\`; paying that invoice later doesn't resume it. A card that was declined 8 times in 24 hours or 15 times in 30 days is not asked: a try that comes
then fails with \`retry_budget_exhausted\`, and counts like any other.

**Workflows** do what a merchant else does by hand. A rule, or a connection's \`workflow_id\`, runs a template's steps for an event: once for each event and
each of them, however often we hear of it. What moves money or changes a subscription is done once; requests and mails go out at least once, under the same id.
A connection's template runs for \`payment.created\` and for the payment's final state. Whoever saves a template's steps, has a rule or a connection run it, or starts it, needs
the scopes of what its steps do: \`payments:write\` for \`tag_payment\`, \`cancel_payment\` and \`refund_payment\`, \`subscriptions:write\` for \`pause_subscription\`; else 403 \`missing_scope\`. A connection's template runs also for what its own steps
cause: ask for \`event.type\` where it should not. **Expressions** are of CEL (cel.dev). They speak of \`event\` (\`id\`, \`type\`,
\`created_at\`), of \`data\`, which is what the event holds under that name: what it shows of the payment, subscription or invoice, as it was then. In steps they speak of \`execution\` (\`id\`) too, and of \`steps\`: what those before
brought, by their ids, with \`status\` beside their output, such as \`steps.ask_crm.status_code\`. What no event has, no step brings, or never works for the events of a rule or a connection, is 400. There are no patterns, no objects written out, at most ten sums, and at most
two looks through a list (\`all\`, \`exists\`, \`exists_one\`, \`filter\`, \`map\`), none of what was added up or inside of another one, and each without sums, with at most ten comparisons save with constants, and with no list but one of constants after \`in\`; lengths of time are written out, as in \`timestamp(event.created_at) - timestamp(data.period_start) > duration("72h")\` of an \`invoice.paid\`. A rule's condition without a value, as a field is missing, does not hold:
ask with \`has(data.invoice_id)\`, at \`payment.failed\`, say. Texts that may have expressions say so: there one stands in \`{{ }}\`, at most 50 in each; one without a value leaves nothing, and of a long value come the first 500 characters.

**Rate limits** count by the clock's minutes and tens of seconds: 100 payment creations, 100 other writes and 500 reads a minute, 200 requests
in ten seconds, for each key. Without a valid key the address counts, with a public key each address by itself.

**Plans** limit, in production alone, how many payments are created and workflows executed in a calendar month (UTC), and how many connections and API keys
there are: \`free\` 100, 50, 2 and 5, \`growth\` 10 000, 5 000, 20 and 50, \`scale\` as many as you like. Beyond it is 402 with \`details\` of \`metric\`, \`used\`, \`limit\` and
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
  workflows:
    'What is done by itself when something happens: integrations to talk to, templates of steps, rules that run them, and what has run.',
  webhooks: "Events, and where they are sent: the organization's own server.",
  'psp-webhooks': 'What providers call back; configured at the provider, not for API clients.',
  auth: 'People sign in by a mailed link or a passkey; a session is a cookie.',
  organizations: 'The organization itself, and who belongs to it, as what.',
  platform:
    'For those who run the service: all organizations, their identities and plans. Each act is kept in the audit log.',
  openapi: 'This document.',
};
