import type { Notes } from '#functions/openapi/word-book.ts';
import { DEFAULT_RETRY_POLICY } from '#shared/domain/billing/retry-policy.rules.ts';

export const POLICIES_NOTES = {
  FraudLists: {
    this: 'Payments are on the list if they match any entry.',
    email_domains: 'Includes their subdomains.',
    ips: 'Addresses, or networks such as 203.0.113.0/24.',
  },
  FraudPolicy: {
    this: 'A match in `allowed` overrides everything else. Without a saved policy this returns a disabled one.',
    velocity: 'Limits of payments in a time.',
    'velocity[].field': 'What payments are counted by.',
    'velocity[].max_payments': 'The most payments within the window.',
    'velocity[].max_amount': "The most money within the window, in the currency's minor unit.",
    'velocity[].window': 'How far back payments count, such as `10m`.',
    max_amount: "The largest payment, in the currency's minor unit, by currency.",
    updated_at: 'When it was last changed. Null: never.',
  },
  'GET /v1/policies/retry': {
    plan_id: "The policy of this plan; the organization's default if left out or empty.",
  },
  RetryPolicy: {
    this: "When an unpaid invoice is collected again. An empty `plan_id` is the organization's default.",
    delays: 'How long to wait before each retry, such as `24h`.',
    max_retries: 'The most retries of an invoice.',
    plan_id: "The merchant's own id of the plan. Empty: all plans without a policy of their own.",
  },
  SaveFraudPolicy: {
    this: 'Fields that are not sent stay unchanged; a sent field is replaced as a whole.',
    velocity: 'Limits of payments in a time.',
    'max_amount{}': 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
    max_amount: 'By currency of ISO 4217, in any case; returned in upper case.',
  },
  SaveRetryPolicy: {
    this:
      'Fields that are not sent stay unchanged; a new policy starts with the delays ' +
      `${DEFAULT_RETRY_POLICY.delays.join(', ')} and ${DEFAULT_RETRY_POLICY.max_retries} retries. The last delay ` +
      'repeats; without delays there are no retries.',
    delays: 'How long to wait before each retry, such as `24h`.',
    max_retries: 'The most retries of an invoice.',
    plan_id: "The merchant's own id of the plan. Empty: all plans without a policy of their own.",
    'delays[]': 'Minutes, hours or days: from 1m to 30d.',
  },
  VelocityRule: {
    this:
      'Limits accepted payments within a sliding window of this length. With `currency`, counts only payments ' +
      'in it.',
    field: 'What payments are counted by.',
    max_payments: 'The most payments within the window.',
    max_amount: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
    window: 'Seconds, minutes, hours or days: from 1s to 30d.',
  },
  'FraudPolicy, SaveFraudPolicy': {
    action: '`block` refuses a payment before a provider is asked, `flag` only marks it.',
    blocked: 'Payments that are always refused.',
    allowed: 'Payments that no other rule is applied to.',
    enabled: 'Whether payments are checked.',
  },
  FraudListsShown: {
    this: 'Payments are on the list if they match any entry.',
    email_domains: "Domains of customers' email addresses.",
    ips: "Customers' IP addresses and networks.",
  },
  'FraudLists, FraudListsShown': {
    countries: 'Countries of payers (ISO 3166-1 alpha-2).',
    emails: "Customers' email addresses.",
    customer_ids: "The merchant's own ids of customers.",
  },
} as const satisfies Notes;
