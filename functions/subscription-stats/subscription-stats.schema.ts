import * as z from 'zod';
import { Currency } from '#shared/http/schema/common.schema.ts';
import { Day } from '#shared/http/schema/day.schema.ts';

/** Two years and a day: what moved since is read too, as only how subscriptions stand now is stored. */
export const MAX_DAYS_BACK = 731;

export const SubscriptionStatsQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  currency: Currency.optional(),
});
export type SubscriptionStatsQuery = z.output<typeof SubscriptionStatsQuery>;

const Mrr = z.int().meta({
  description:
    'Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365 ' +
    'days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.',
});
const level = z.object({ active: z.int(), mrr: Mrr });

const movements = {
  new: z
    .int()
    .meta({ description: 'Started: their first period began. One that is canceled before that is never counted.' }),
  canceled: z.int(),
  paused: z.int().meta({ description: 'By a person, or after the last retry of an invoice.' }),
  churned: z.int().meta({ description: 'No longer active: paused or canceled.' }),
  reactivated: z.int().meta({ description: 'Active again after a pause.' }),
  mrr_new: z.int(),
  mrr_expansion: z.int().meta({ description: 'From higher amounts.' }),
  mrr_contraction: z.int().meta({ description: 'From lower amounts.' }),
  mrr_churned: z.int(),
  mrr_reactivated: z.int(),
};

const Rate = z.number().nullable();

export const SubscriptionStatsReply = z
  .object({
    from: z.string(),
    to: z.string(),
    by_currency: z.array(
      z.object({
        currency: z.string(),
        now: z
          .object({
            active: z.int(),
            paused: z.int(),
            canceled: z.int(),
            scheduled: z.int().meta({ description: 'Not started: the first period is not billed yet.' }),
            ending: z.int().meta({ description: 'Of the active ones, those that end with their period.' }),
            mrr: Mrr,
          })
          .meta({ description: 'How the subscriptions stand now, whatever `to` says.' }),
        start: level.meta({ description: 'Before `from`.' }),
        end: level.meta({ description: 'At the end of `to`.' }),
        ...movements,
        churn_rate: Rate.meta({ description: '`churned` by the active subscriptions at the start, 0 to 1.' }),
        mrr_churn_rate: Rate.meta({ description: '`mrr_churned` by the revenue at the start, 0 to 1.' }),
        by_day: z.array(z.object({ day: z.string(), active: z.int(), mrr: Mrr, ...movements })),
      }),
    ),
  })
  .meta({
    id: 'SubscriptionStats',
    description:
      'Seconds late. What moved counts on the day (UTC) that it happened, a start on that of its first period. ' +
      `Without \`from\`: 30 days; it may be at most ${MAX_DAYS_BACK} days ago.`,
  });
