import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_DAYS_BACK } from '#shared/domain/billing/subscription-stats.rules.ts';

export const SUBSCRIPTION_STATS_NOTES = {
  'GET /v1/subscriptions/stats': {
    from: 'A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it.',
    to: 'A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it.',
  },
  SubscriptionStats: {
    this:
      'Seconds late. What moved counts on the day (UTC) that it happened, a start on that of its first period. ' +
      `Without \`from\`: 30 days; it may be at most ${MAX_DAYS_BACK} days ago.`,
    from: 'The first day (UTC).',
    to: 'The last day (UTC), included.',
    by_currency: 'One for each currency.',
    by_day: 'The same by day.',
    'by_day[].day': 'The day (UTC), as YYYY-MM-DD.',
    active: 'Subscriptions that are active.',
    'now.paused': 'Subscriptions that are paused.',
    'now.canceled': 'Subscriptions that are canceled.',
    canceled: 'Subscriptions that were canceled.',
    mrr_new: "The revenue of new subscriptions, in the currency's minor unit.",
    mrr_churned: "The revenue of what is no longer active, in the currency's minor unit.",
    mrr_reactivated: "The revenue of what is active again, in the currency's minor unit.",
    'by_currency[].now.scheduled': 'Not started: the first period is not billed yet.',
    'by_currency[].now.ending': 'Of the active ones, those that end with their period.',
    mrr:
      'Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365 ' +
      'days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.',
    'by_currency[].now': 'How the subscriptions stand now, whatever `to` says.',
    'by_currency[].start': 'Before `from`.',
    'by_currency[].end': 'At the end of `to`.',
    new: 'Started: their first period began. One that is canceled before that is never counted.',
    'by_currency[].paused': 'By a person, or after the last retry of an invoice.',
    churned: 'No longer active: paused or canceled.',
    reactivated: 'Active again after a pause.',
    mrr_expansion: 'From higher amounts.',
    mrr_contraction: 'From lower amounts.',
    'by_currency[].churn_rate': '`churned` by the active subscriptions at the start, 0 to 1. Null without any.',
    'by_currency[].mrr_churn_rate': '`mrr_churned` by the revenue at the start, 0 to 1. Null without any.',
    'by_currency[].by_day[].paused': 'By a person, or after the last retry of an invoice.',
  },
} as const satisfies Notes;
