import * as z from 'zod';
import { Currency } from '#shared/http/schema/common.schema.ts';
import { Day } from '#shared/http/schema/day.schema.ts';

export const SubscriptionStatsQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  currency: Currency.optional(),
});
export type SubscriptionStatsQuery = z.output<typeof SubscriptionStatsQuery>;

const Mrr = z.int();
const level = z.object({ active: z.int(), mrr: Mrr });

const movements = {
  new: z.int(),
  canceled: z.int(),
  paused: z.int(),
  churned: z.int(),
  reactivated: z.int(),
  mrr_new: z.int(),
  mrr_expansion: z.int(),
  mrr_contraction: z.int(),
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
        now: z.object({
          active: z.int(),
          paused: z.int(),
          canceled: z.int(),
          scheduled: z.int(),
          ending: z.int(),
          mrr: Mrr,
        }),
        start: level,
        end: level,
        ...movements,
        churn_rate: Rate,
        mrr_churn_rate: Rate,
        by_day: z.array(z.object({ day: z.string(), active: z.int(), mrr: Mrr, ...movements })),
      }),
    ),
  })
  .meta({ id: 'SubscriptionStats' });
