import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_YEARS_AHEAD } from '#shared/domain/billing/subscription.model.ts';
import { MAX_UPCOMING } from '#shared/domain/billing/upcoming-periods.rules.ts';

export const SUBSCRIPTIONS_NOTES = {
  CancelSubscription: {
    this: 'When the subscription ends.',
    at_period_end:
      '`true`: the subscription ends when the next period would start. The current period is charged, and an ' +
      'invoice that is still open then is retried until it is paid or has failed. `false` or not sent: the ' +
      'subscription and its open invoices are canceled now, and started periods are not charged any more.',
  },
  CreateSubscription: {
    this: 'A subscription of a customer.',
    customer_email: "The customer's email address.",
    payment_method: 'What the customer pays with.',
    interval: 'How long a period is.',
    method: 'How the customer pays. Defaults to the type of `payment_method`, or to `card`.',
    start_at:
      `When the first period starts and is charged: now by default, at most ${MAX_YEARS_AHEAD} years ahead. The ` +
      'other periods start at the same day and time, in UTC.',
  },
  Dunning: {
    this: 'Where the collection of an invoice stands, by the retry policy of now.',
    status: 'How the invoice stands.',
    policy: 'The retry policy that applies.',
    'policy.source': 'Where it comes from: the plan, the organization or the default.',
    'policy.delays': 'How long to wait before each retry, such as `24h`.',
    'policy.max_retries': 'The most retries of an invoice.',
    'planned[].retry': 'Counts the retries from 1.',
    'planned[].at': 'When it is due.',
    attempts: 'The number of collection attempts so far.',
    collecting: 'Whether an attempt is running, or waits for its outcome.',
    retries_used: "Of the policy's retries, those that were made or are planned.",
    retries_left: 'Those that can still be planned.',
    planned:
      'The planned retry, and those that would follow if each fails at once. Empty while an attempt is running, and ' +
      'where none is left.',
  },
  'GET /v1/subscriptions': {
    customer_id: 'Only subscriptions of this customer.',
    plan_id: 'Only subscriptions of this plan.',
    status: 'Only subscriptions with this status.',
    response:
      'Newest first. With rare matches a page may hold fewer than `limit` objects, or none: there are more pages as ' +
      'long as there is a `Link` header.',
  },
  Invoice: {
    this: 'What a subscription owes for one period. Each period has exactly one invoice.',
    period_start: 'When the period begins.',
    period_end: 'When the period ends.',
    number: 'For people: the end of the subscription id, and the number of the invoice within it.',
    status:
      '`failed`: all retries are used up. An `open` or `failed` invoice can be retried or canceled; `paid` and ' +
      '`canceled` are final.',
    attempts:
      'The number of collection attempts: the first one, those of the retry policy, and requested ones. An attempt ' +
      'that the retry budget of the card forbids counts, although the PSP is not called. Retries of the payment ' +
      'itself (`POST /v1/payments/{id}/retry`) do not count.',
    next_retry_at: 'When the retry policy collects it next; `null` if no retry is planned.',
    payment_id: 'The payment of the last attempt, or the one that paid it. Null before the first attempt.',
  },
  InvoiceList: {
    this:
      'Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is ' +
      'true, the `Link` header leads to the next page.',
    invoices: 'The invoices of this page.',
  },
  Subscription: {
    this: 'A customer who is charged off-session for each period. The payment method is never returned.',
    country: 'The country of the payer, ISO 3166-1 alpha-2. Null if it is unknown.',
    customer_email: "The customer's email address. Null without one.",
    start_at: 'When its first period starts.',
    canceled_at: 'When it was canceled. Null unless it is.',
    cancel_at_period_end: 'Whether it ends with its period.',
    amount: 'Per period, in minor units.',
    payment_method_id: 'The saved payment method that it is charged with: its tokens are read at each charge.',
    interval:
      'Periods are counted from `start_at`, in UTC: a subscription that starts on the 31st renews on the last day ' +
      'of shorter months, and on the 31st of longer ones.',
    status: '`canceled` is final.',
    next_renewal_at:
      'When the next period starts and is charged, or, with `cancel_at_period_end`, when the subscription ends. ' +
      '`null` while nothing renews.',
  },
  UpcomingPeriods: {
    this: `The next ${MAX_UPCOMING} periods at most, if nothing changes. Empty while nothing renews.`,
    periods: 'The periods, next first.',
    'periods[].start': 'When it begins.',
    'periods[].end': 'When it ends.',
    'periods[].number': 'The number of the period, from 1.',
    'periods[].charged_at': 'Its start, or later where the organization may not take payments before that.',
    'periods[].started': 'Whether it has started, and is not charged yet.',
  },
  UpdateSubscription: {
    this:
      'Fields that are not sent stay unchanged. Changes apply from the next period on, without proration: a period ' +
      'that has started is charged on the terms it started with, even if it is charged late. A new payment method ' +
      'applies to the next charge, including retries of the same method type.',
    payment_method: 'What the customer pays with from now on.',
    method: 'The payment method, such as `card`.',
    status:
      '`paused`: nothing renews, and started periods that are not charged yet wait. `active`: a paused subscription ' +
      'is charged for those, and then renews at the next date ahead.',
  },
  'CreateSubscription, UpdateSubscription': {
    amount: 'In minor units of the currency: JPY 0, USD 2, KWD 3 decimals.',
  },
  'GET /v1/invoices': {
    customer_id: 'Only invoices of this customer.',
    plan_id: 'Only invoices of this plan.',
    status: 'Only invoices with this status.',
    subscription_id: 'Only invoices of this subscription.',
  },
} as const satisfies Notes;
