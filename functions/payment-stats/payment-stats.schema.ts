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
  success_rate: z.number().nullable(),
  disputes: z.object({ total: z.int(), by_status: z.object(recordOfInts(DISPUTE_STATUSES)) }),
};
const money = {
  volume: z.int(),
  refunded_amount: z.int(),
  disputed_amount: z.int(),
  dispute_lost_amount: z.int(),
};
const reasons = {
  by_reason: z.array(z.object({ code: z.string().nullable(), category: z.string().nullable(), count: z.int() })),
};
const latency = z.object({ calls: z.int(), average_ms: z.int().nullable() });
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
  .meta({ id: 'PaymentStats' });
