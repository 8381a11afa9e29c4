import * as z from 'zod';
import { DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import { Currency, Text } from '#shared/http/schema/common.schema.ts';
import { Day } from '#shared/http/schema/day.schema.ts';

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
const reasons = {
  by_reason: z.array(z.object({ code: z.string().nullable(), category: z.string().nullable(), count: z.int() })).meta({
    description:
      'The failed payments by the code of their failure, most first. `null`: counted by a release that did not know.',
  }),
};
const latency = z.object({ calls: z.int(), average_ms: z.int().nullable() }).meta({
  description: 'How long the provider took for a call, in milliseconds. `null` without calls.',
});
const moneyByCurrency = { money: z.array(z.object({ currency: z.string(), ...money })) };

export const StatsReply = z
  .object({
    from: z.string(),
    to: z.string(),
    ...counts,
    ...reasons,
    by_currency: z.array(z.object({ currency: z.string(), ...counts, ...money })),
    by_provider: z.array(
      z.object({ provider: z.string().nullable(), ...counts, ...reasons, latency, ...moneyByCurrency }),
    ),
    by_day: z.array(z.object({ day: z.string(), ...counts, ...moneyByCurrency })),
  })
  .meta({
    id: 'PaymentStats',
    description:
      'A payment counts on the day (UTC) that it was created, with what became of it since, seconds late. ' +
      'Without `from`: 30 days; at most 366.',
  });
