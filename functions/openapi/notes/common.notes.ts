import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_FIELD_ERRORS } from '#shared/kernel/errors.ts';

/** Words of properties and parameters that mean the same wherever they stand. */
export const COMMON_WORDS: Notes[string] = {
  type: 'What kind it is.',
  kind: 'What kind it is.',
  data: 'The resource as it was when the event occurred.',
  issuer_country: 'The country of the issuer of the card (ISO 3166-1 alpha-2).',
  id: 'The id of the object.',
  org_id: 'The organization that it belongs to.',
  mode: '`sandbox` moves no money, `live` moves real money.',
  created_at: 'When it was created.',
  updated_at: 'When it was last changed.',
  name: 'A name for people.',
  enabled: 'Whether it takes effect.',
  amount: "In the currency's minor unit, such as cents.",
  currency: 'ISO 4217, in upper case.',
  method: 'The payment method, such as `card`.',
  customer_id: "The merchant's own id of the customer.",
  customer_email: "The customer's email address.",
  customer_ip: "The customer's IP address.",
  metadata: 'Your own data, as you sent it.',
  connection_id: 'The id of the connection.',
  provider: 'The payment service provider.',
  psp_reference: "The provider's own id of it. Null until the provider has given one.",
  payment_id: 'The payment that it belongs to.',
  attempt_id: 'The attempt that made the charge.',
  failure: 'Why it failed. Null unless it failed.',
  invoice_id: 'The id of the invoice.',
  subscription_id: 'The id of the subscription.',
  plan_id: "The merchant's own id of the plan.",
  template_id: 'The id of the workflow template.',
  event_id: 'The id of the event.',
  rule_id: 'The rule that applied. Null or missing if none did.',
  ab_test_id: 'The A/B test that took part. Null or missing if none did.',
  variant: 'The variant of the A/B test. Null or missing without a test.',
  email: 'An email address.',
  url: 'A web address.',
  at: 'When it happened.',
  pagination: 'Where this page is in the list.',
  'pagination.limit': 'The most objects that the page may have.',
  'pagination.offset': 'How many objects were skipped.',
  'pagination.total': 'How many objects there are in all.',
  'pagination.has_more': 'Whether there is another page.',
  'pagination.next_cursor': 'Send it as `cursor` for the next page. Null on the last page.',
  limit: 'The most objects that a page may have.',
  offset: 'How many objects to skip.',
  'changes{}.from': 'The value before. Null if there was none.',
  'changes{}.to': 'The value after. Null if there is none.',
  'changes{}': 'The change of one field.',
  statement_descriptor:
    "What the customer's statement shows, cut to what the provider takes. Some show it only after the account's name.",
  statement_descriptor_suffix: "Shown after the account's own name.",
  started_at: 'When it began.',
  ended_at: 'When it ended. Null while it runs.',
  scopes: 'What the key may do.',
  token: 'The token from the link in the mail.',
  request_id: 'The `X-Request-Id` of the request.',
  cursor:
    'From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the list.',
  created_after: 'Inclusive: an object created at exactly this time is in the list.',
  created_before:
    'Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap ' +
    'nor leave a gap.',
};

export const COMMON_NOTES = {
  'GET /v1/payments, GET /v1/payments/stats, GET /v1/subscriptions/stats': {
    currency: 'Only this currency: ISO 4217, in any case.',
  },
  'DELETE /v1/auth/webauthn/credentials/{id}': { id: 'The id of the passkey.' },
  'GET /pay/{id}, POST /pay/{id}': { id: 'The id of the payment link.' },
  Metadata: {
    this:
      'Up to 50 keys. It stays in this service: a provider gets only `org_id`, `connection_id`, `payment_id` and ' +
      '`customer_email`.',
  },
  Problem: {
    this: 'An error. `code` says what happened; programs should use nothing else.',
    error: 'The category of the error, by its status.',
    code: 'What happened. Unknown codes may be added: then go by the status.',
    doc_url: 'Where the reference says what causes this error, and what to do.',
    'details.fields': 'The errors of an invalid request, one each.',
    'details.fields[].path': 'Which field, such as `amount` or `query.limit`.',
    'details.fields[].message': 'What the field must be.',
    'details.more': 'How many more errors there are.',
    details:
      `\`fields\` lists the errors of an invalid request, at most ${MAX_FIELD_ERRORS}; \`more\` is the number of ` +
      'further errors.',
    retry_after: 'Whole seconds, as in the header `Retry-After`.',
    '.message': 'For people; programs should use `code`.',
  },
  Deleted: {
    this: 'The object is deleted.',
    deleted: 'Always true.',
  },
  'POST /webhooks/{provider}': {
    provider: 'The provider that calls.',
    'response.received': 'Always true.',
  },
  'GET /health': {
    'response.status': 'Always `ok`: otherwise the response is an error.',
    'response.stage': 'The stage that answers.',
    'response.version': 'The version that answers.',
  },
  'GET /pay/return/{payment_id}, POST /pay/return/{payment_id}': {
    payment_id: 'The id of the payment.',
  },
} as const satisfies Notes;
