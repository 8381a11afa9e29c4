import * as z from 'zod';
import { delayOf } from '#shared/domain/billing/retry-policy.rules.ts';
import { ANY_OFFSET, ListQuery, Text } from '#shared/http/schema/common.schema.ts';

const MOST_DELAYS = 10;
const MOST_RETRIES = 10;

const PlanId = Text(200);
const DELAY = 'Must be a length of time from 1m to 30d, such as 15m, 24h or 3d.';
const RETRIES = `Must be a whole number, 0 to ${MOST_RETRIES}.`;

export const RetryPolicyQuery = z.strictObject({
  plan_id: PlanId.default('').meta({
    description: "A plan's own policy; the organization's where it is left out or empty.",
  }),
});
export type RetryPolicyInput = z.output<typeof RetryPolicyQuery>;

/** When it was made, and of which plan; a plan may be called anything. */
export const ListRetryPoliciesQuery = ListQuery(
  {},
  { isPosition: (position) => /^\d{4}-[\dT:.-]+Z .{0,200}$/s.test(position), mostOffset: ANY_OFFSET },
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
          .refine((text) => delayOf(text) !== undefined, DELAY)
          .meta({ description: 'Minutes, hours or days: from 1m to 30d.', example: '24h' }),
        'Must be a list of delays.',
      )
      .max(MOST_DELAYS, `Must have at most ${MOST_DELAYS} entries.`)
      .optional(),
    max_retries: z.int(RETRIES).min(0, RETRIES).max(MOST_RETRIES, RETRIES).optional(),
  })
  .meta({
    id: 'SaveRetryPolicy',
    description:
      'What is not sent stays; in a new policy it is `24h, 72h, 120h` and 3. The last delay repeats; without delays there are no retries.',
  });
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
  .meta({
    id: 'RetryPolicy',
    description: "When a failed invoice is tried again. An empty `plan_id` is the organization's default.",
  });

export const RetryPoliciesReply = z.array(RetryPolicyReply).readonly();
