import * as z from 'zod';
import { DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import { Currency, Text, Timestamp } from '#shared/http/schema/common.schema.ts';

const DAY = 'Must be a day, such as 2026-01-31, or a date-time of ISO 8601.';
/** A date-time is reduced to its day. */
const Day = z
  .union([z.iso.date({ error: DAY, abort: true }), Timestamp], DAY)
  .transform((text) => (text < '1970' ? '1970-01-01' : text.slice(0, 10)))
  .meta({
    description: 'A day of UTC, included. A date-time stands for its day, and 1970-01-01 for all before it.',
    example: '2026-01-31',
  });

export const StatsQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  currency: Currency.optional(),
  connection_id: Text(64, 1).optional(),
});
export type StatsQuery = z.output<typeof StatsQuery>;

const recordOfInts = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, z.int()])) as Record<K, ReturnType<typeof z.int>>;

const counts = {
  total: z.int(),
  by_status: z.object(recordOfInts(PAYMENT_STATUSES)),
  success_rate: z
    .number()
    .nullable()
    .meta({
      description:
        'Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody ' +
        'captured count as neither.',
    }),
  disputes: z
    .object({ total: z.int(), by_status: z.object(recordOfInts(DISPUTE_STATUSES)) })
    .meta({ description: 'A dispute counts on the day (UTC) that we heard of it, with what became of it since.' }),
};
const money = {
  volume: z
    .int()
    .meta({ description: 'The sum of what succeeded payments took, in minor units. Later refunds are not taken off.' }),
  refunded_amount: z.int(),
  disputed_amount: z.int().meta({ description: 'The sum of all disputes, however they ended.' }),
  dispute_lost_amount: z.int().meta({ description: 'Of the disputes that are lost, accepted or expired.' }),
};
const moneyByCurrency = { money: z.array(z.object({ currency: z.string(), ...money })) };

export const StatsReply = z
  .object({
    from: z.string(),
    to: z.string(),
    ...counts,
    by_currency: z.array(z.object({ currency: z.string(), ...counts, ...money })),
    by_provider: z.array(z.object({ provider: z.string().nullable(), ...counts, ...moneyByCurrency })),
    by_day: z.array(z.object({ day: z.string(), ...counts, ...moneyByCurrency })),
  })
  .meta({
    id: 'PaymentStats',
    description:
      'A payment counts on the day (UTC) that it was created, with what became of it since, seconds late. ' +
      'Without `from`: 30 days; at most 366.',
  });
