import { PLANS } from '#shared/domain/accounts/plans.catalog.ts';
import { BURST, RATE_CLASSES } from '#shared/domain/accounts/rate-limits.rules.ts';
import { RETRY_WINDOWS } from '#shared/domain/payments/retry-budget.rules.ts';
import type { DocumentName } from '#shared/domain/reference/api-documents.rules.ts';
import { SETUP_LIMITS } from '#shared/domain/routing/setup-limits.rules.ts';
import { RETRY_DELAYS } from '#shared/domain/webhooks/delivery.rules.ts';
import { PREVIOUS_SECRET_VALID } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { DISABLE_AFTER, DISABLE_FROM_ATTEMPT } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { MAX_FILLED_LENGTH, MAX_PLACEHOLDERS } from '#shared/domain/workflows/expression.rules.ts';
import { MAX_COMPARISONS, MAX_LOOPS, MAX_SUMS } from '#shared/domain/workflows/expression-limits.rules.ts';
import { MAX_BODY_BYTES } from '#shared/http/middleware/parse-request.middleware.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#shared/http/schema/common.schema.ts';
import { DAY, HOUR } from '#shared/kernel/clock.ts';

const CONVENTIONS = `
Identifiers are text with a prefix that names their type, and sort by time. Timestamps are UTC, ISO 8601 with
milliseconds and \`Z\`. Money is a whole number of the currency's minor unit. A field without a value is \`null\`.
In a request, \`null\` for an optional field is the same as leaving it out, unless the field says what null does. Names
that stand twice in an object, and numbers with more digits than can be stored, are 400. Responses may gain fields,
and fields new values: ignore fields that you do not know, and take an unknown value as one that you do nothing about.
\`HEAD\` answers as \`GET\` does, without a body, and uses nothing up. Another method is 405, with \`Allow\`.
Responses from 4 KB on are compressed for who sends \`Accept-Encoding: gzip\`, and a request may be sent with
\`Content-Encoding: gzip\`. Your own \`X-Request-Id\` (1 to 64 letters, digits, \`_\` and \`-\`) is stored beside ours,
and deliveries carry the trace of your \`traceparent\`.`;

const ERRORS = `
**Errors** have \`error\`, \`code\`, \`message\` and \`doc_url\`, where this reference says what to do.
\`X-Should-Retry\` says whether to send the same request again, with the same idempotency key. A declined payment is not
an error: the response is 200 or 201 with \`status: "failed"\` and \`failure\`. A resource of another organization gets
the same response as one that does not exist; an unknown route is 404 with \`route_not_found\`. A body with a card number
is refused with \`raw_card_data\`. Where another number looks like one, write before it what it is, such as SIRET or
IMEI; EANs need nothing. A request body may have ${MAX_BODY_BYTES / 1024} KiB, also once it is decompressed.
The gateway itself responds to a body over 10 MB and to an overload, with \`message\` alone.`;

const IDEMPOTENCY = `
**Idempotency**: the same key with the same request returns the stored response, marked
\`Idempotency-Replayed: true\`. Requests are the same if they ask for the same: the order of names, white space, the
notation of numbers and the case of currencies do not matter. It is 409 while the first request is still running, and
422 with another request. After a crash or a 5xx, a retry with the same key continues the same operation. As long as you
do not know how a request ended, repeat it with its own key: with a new one it is a second operation.`;

const LISTS = `
**Lists** are newest first. \`limit\` is 1 to ${MAX_LIMIT}, by default ${DEFAULT_LIMIT}. \`Link\` leads to the next
page, also beyond the largest \`offset\`, and so does \`cursor\` with the \`pagination.next_cursor\` of a list that
has one. A page ends early where the response would become too large: only a missing \`Link\`, with a \`next_cursor\`
of null, means that it is the last.`;

const ATTEMPTS = RETRY_DELAYS.length + 1;
const DELIVERY_DAYS = Math.ceil(RETRY_DELAYS.reduce((sum, delay) => sum + delay, 0) / DAY);

const EVENTS = `
**Events** may arrive twice, with the same id. An event is \`failed\` after ${ATTEMPTS} delivery attempts within
${DELIVERY_DAYS} days, or more where your endpoint sent a \`Retry-After\`. \`GET /v1/webhooks/events?status=failed\`
lists these, and \`POST /v1/webhooks/events/replay\` sends all of a period again, the oldest first. It responds before
they are sent, and an event that fails again stays \`failed\`.
Webhooks are disabled when your endpoint responds with 410, or when every delivery has failed for
${DISABLE_AFTER / DAY} days and an event fails for attempt ${DISABLE_FROM_ATTEMPT} or later. From then on new events
are \`failed\` without an attempt, until you save the configuration again.
After \`POST /v1/webhooks/config/rotate-secret\` both secrets sign for ${PREVIOUS_SECRET_VALID / HOUR} hours:
\`webhook-signature\` has a signature by each, separated by a space, the newest first, and \`X-Service-Signature\` is
made with the oldest secret that is still valid. Add the new secret to your endpoint beside the old one, and remove the
old one when that time is over.`;

const budgets = RETRY_WINDOWS.map(({ length, limit }) =>
  length > DAY ? `${limit} times in ${length / DAY} days` : `${limit} times in ${length / HOUR} hours`,
).join(' or ');

const SUBSCRIPTIONS = `
**Subscriptions** are charged without the customer, through connections whose provider supports it. Each period has one
invoice; missed periods are charged later, in order. When the attempts of the retry policy are used up, the invoice is
\`failed\` and the subscription \`paused\`; paying that invoice later does not resume it. A card that was declined
${budgets} is not charged again within that time: an attempt then fails with \`retry_budget_exhausted\`, and counts like
any other.`;

const WORKFLOWS = `
**Workflows** automate what a merchant would otherwise do by hand. A rule, or a connection's \`workflow_id\`, runs the
steps of a template for an event: once for each event and each rule or connection, even if the event arrives several
times. Steps that move money or change a subscription take effect once; requests and mails are sent at least once, with
the same id. A connection's template runs for \`payment.created\` and for the payment's final state. Saving a
template's steps, letting a rule or a connection run it, or starting it requires the scopes of what its steps do:
\`payments:write\` for \`tag_payment\`, \`cancel_payment\`, \`capture_payment\` and \`refund_payment\`,
\`subscriptions:write\` for \`pause_subscription\`; otherwise it is 403 with \`missing_scope\`. A connection's template also runs for events that
its own steps cause: check \`event.type\` where it should not.`;

const EXPRESSIONS = `
**Expressions** are written in CEL (cel.dev). They can use \`event\` (\`id\`, \`type\`, \`created_at\`) and \`data\`,
the resource as the event shows it: the payment, subscription or invoice at that time. In steps they can also use
\`execution\` (\`id\`) and \`steps\`: the outputs of the steps before, by their ids, with \`status\` beside the
output, such as \`steps.ask_crm.status_code\`. A name that no event has or no step returns is 400, and so is one that
can never occur for the events of a rule or a connection. Not supported are regular expressions and object literals. An
expression may have at most ${MAX_SUMS} additions, and at most ${MAX_LOOPS} loops over a list (\`all\`, \`exists\`,
\`exists_one\`, \`filter\`, \`map\`): not over the result of an addition, not inside another loop, without additions,
with at most ${MAX_COMPARISONS} comparisons except those with constants, and with \`in\` for a list of constants only.
Durations are constants, as in \`timestamp(event.created_at) - timestamp(data.period_start) > duration("72h")\` for an
\`invoice.paid\`. A rule's condition is false where a field has no value: check with \`has(data.invoice_id)\`, for
example at \`payment.failed\`. Fields that accept expressions say so: there an expression stands in \`{{ }}\`, at most
${MAX_PLACEHOLDERS} in one text. One without a value is replaced by nothing, and a long value is cut after
${MAX_FILLED_LENGTH} characters.`;

const RATE_LIMITS = `
**Rate limits** count per key, in the clock's minutes and in steps of ${BURST.seconds} seconds:
${RATE_CLASSES.payments.limit} payment creations, ${RATE_CLASSES.writes.limit} other writes and
${RATE_CLASSES.reads.limit} reads a minute, and ${BURST.limit} requests in ${BURST.seconds} seconds. The keys
of a large organization may have higher limits, which \`X-RateLimit-Limit\` shows. Without a valid key the address is
counted; with a public key, each address by itself. Requests for the API documents, preflights and \`/health\` are not
counted.`;

/** Thousands are separated by a space, as in `10 000`. */
const limitText = (limit: number | null): string =>
  limit === null ? 'unlimited' : String(limit).replace(/\B(?=(\d{3})+$)/g, ' ');

const planText = (name: keyof typeof PLANS): string => {
  const { payments, workflow_executions, connections, api_keys } = PLANS[name].limits;
  return `\`${name}\` ${[payments, workflow_executions, connections, api_keys].map(limitText).join(', ')}`;
};

const PLAN_LIMITS = `
**Plans** limit, in production only, the payments created and the workflows executed in a calendar month (UTC), and the
number of connections and of API keys: ${planText('free')}; ${planText('growth')}; \`scale\` is unlimited. Beyond a
limit the response is 402 with \`details\` of \`metric\`, \`used\`, \`limit\` and \`reset\`, the end of the month, all
of them text. Nothing is stored, and the same idempotency key may be sent again. A repeat of an accepted request is not
affected. A/B tests require \`growth\` or \`scale\`. Until its identity is verified, an organization's live keys get
403.`;

const { rules, connections, deletedConnections, snapshotBytes } = SETUP_LIMITS;
const SETUP = `
**The setup** of an organization has at most ${rules} routing rules, ${connections} connections and
${deletedConnections} deleted connections, in every plan and stage. What a payment reads of it (connections, enabled
rules, running A/B tests and the fraud policy) has at most ${snapshotBytes / 1_024} KB, compressed; ${rules} usual rules
take a fifth of that. Beyond a limit the response is 409 \`setup_limit_reached\` with \`details\` of \`metric\`,
\`used\` and \`limit\`. What makes a setup smaller is always accepted.`;

const BROWSERS = `
**Browsers** may call what accepts a public key, from any origin (CORS, without credentials). The rest of the API is for
servers, and for the dashboard's own origins, which use a session: its cookie opens what a key opens, as far as the
user's role in the organization in \`X-Org-Id\` allows. No other page can read the responses.`;

const sections = (...texts: readonly string[]): string => texts.map((text) => text.trim()).join('\n\n');

/**
 * Notes on all endpoints, for readers of the document. Where the specification is silent, our decision is described
 * here.
 */
export const INFO = {
  title: 'Payfork',
  version: '1.0.0',
  summary: 'Payment orchestration over your own accounts at payment service providers.',
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  contact: { name: 'Payfork' },
  description: sections(CONVENTIONS, ERRORS, IDEMPOTENCY, LISTS, RATE_LIMITS, BROWSERS),
} as const;

/** What everybody reads first: which of the two documents has what. Their addresses are those of the same host. */
const OTHER_DOCUMENT = {
  openapi: `
This document has what a server calls with an API key. What people do in the dashboard, such as signing in, the figures
and logs of its screens, and deprecated spellings of paths are in \`/openapi-dashboard.json\`. Each tag is in one of the two.`,
  'openapi-dashboard': `
This document has what people do in the dashboard, the figures and logs of its screens, and deprecated spellings of
paths. What an integration is built on is in \`/openapi.json\`. Each tag is in one of the two.`,
} as const satisfies Record<DocumentName, string>;

const TITLES = { openapi: 'Payfork', 'openapi-dashboard': 'Payfork dashboard' } as const;

export const infoOf = (name: DocumentName) => ({
  ...INFO,
  title: TITLES[name],
  description: sections(OTHER_DOCUMENT[name], INFO.description),
});

/** A sentence about each tag, and what else one needs to know of it; by the document that has the tag. */
export const TAG_NOTES = {
  openapi: {
    payments: 'Charges and refunds, routed to your own accounts at providers.',
    'payment-links': 'Hosted pages where customers pay, without code at the merchant.',
    'payment-methods': 'Saved cards and accounts of customers, for later payments, at whichever provider has a token.',
    customers: 'What is kept of a customer, and how it is erased.',
    disputes:
      "What customers dispute at their banks: answered here, or in the provider's dashboard where it takes no API calls.",
    subscriptions: sections('Customers who are charged each period, without being present.', SUBSCRIPTIONS),
    invoices: 'What a subscription owes for a period, one each; retried by the retry policy until it is paid.',
    webhooks: sections("Events, and the endpoint where they are sent: the organization's own server.", EVENTS),
    workflows: sections(
      'Automation of what follows an event: integrations, templates of steps, rules that run them, executions.',
      WORKFLOWS,
      EXPRESSIONS,
    ),
    connections: "An organization's own accounts at providers.",
    'routing-rules': sections('Which connection takes which payments; all others use default routing.', SETUP),
    'ab-tests': 'Compare routing rules on real payments.',
    policies: 'Which payments are blocked before any provider is called, and when a failed invoice is retried.',
    'api-keys': 'Keys for servers, and public keys for checkouts. A key is shown once.',
    organizations: sections('The organization itself.', PLAN_LIMITS),
    'hosted-pages': 'The pages that customers open in a browser; not for API clients.',
    'psp-webhooks': 'Callbacks of providers; configured at the provider, not for API clients.',
    health: 'Whether the service works, for monitors.',
    openapi: 'The API documents, the reference that is made from them, and the API as tools for agents.',
  },
  'openapi-dashboard': {
    dashboard: 'The pages where people sign in and work; not for API clients.',
    auth: 'People sign in by a mailed link or a passkey; a session is a cookie.',
    team: 'The members of an organization with their roles, and what only they change of it.',
    agents: 'What agents may move in a day without a person, and the requests that wait for one.',
    reports: 'What the screens of the dashboard show: figures, what waits for a person, and the story of a payment.',
    search: 'Any record, by what people have in their hands: an id, a reference, a customer.',
    'routing-simulator':
      'Where a payment would go and why, and what edited rules would change for the newest payments. Nothing is stored.',
    logs: 'Who changed what, and which requests failed.',
    platform:
      'For those who operate the service: all organizations, their identities and plans. Each action is in the ' +
      'audit log.',
    deprecated: 'Other spellings of paths. They work, and nothing new should use them.',
  },
} as const satisfies Record<DocumentName, object>;
