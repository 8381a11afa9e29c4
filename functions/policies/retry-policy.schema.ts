import * as z from 'zod';
import { parseDelay } from '#shared/domain/billing/retry-policy.rules.ts';
import { ANY_OFFSET, ListQuery, Text } from '#shared/http/schema/common.schema.ts';

const MAX_DELAYS = 10;
const MAX_RETRIES = 10;

const PlanId = Text(200);
const DELAY = 'Must be a duration from 1m to 30d, such as 15m, 24h or 3d.';
const RETRIES = `Must be a whole number from 0 to ${MAX_RETRIES}.`;

export const RetryPolicyQuery = z.strictObject({
  plan_id: PlanId.default(''),
});
export type RetryPolicyInput = z.output<typeof RetryPolicyQuery>;

/** A position is the creation time and the plan id, which may be any text. */
export const ListRetryPoliciesQuery = ListQuery(
  {},
  { isPosition: (position) => /^\d{4}-[\dT:.-]+Z .{0,200}$/s.test(position), maxOffset: ANY_OFFSET },
);
export type ListRetryPoliciesInput = z.output<typeof ListRetryPoliciesQuery>;

export const SaveRetryPolicyBody = z
  .strictObject({
    plan_id: PlanId.default(''),
    delays: z
      .array(
        z
          .string(DELAY)
          .regex(/^[1-9]\d{0,6}[mhd]$/, { error: DELAY, abort: true })
          .refine((text) => parseDelay(text) !== undefined, DELAY)
          .meta({ example: '24h' }),
        'Must be a list of delays.',
      )
      .max(MAX_DELAYS, `Must have at most ${MAX_DELAYS} entries.`)
      .optional(),
    max_retries: z.int(RETRIES).min(0, RETRIES).max(MAX_RETRIES, RETRIES).optional(),
  })
  .meta({ id: 'SaveRetryPolicy' });
export type SaveRetryPolicyInput = z.output<typeof SaveRetryPolicyBody>;

export const RetryPolicyReply = z
  .object({
    org_id: z.string(),
    plan_id: z.string(),
    delays: z.array(z.string()).readonly(),
    max_retries: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'RetryPolicy' });

export const RetryPoliciesReply = z.array(RetryPolicyReply).readonly();
