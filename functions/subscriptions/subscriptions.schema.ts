import * as z from 'zod';
import { INTERVALS } from '#shared/domain/billing/billing-calendar.rules.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  Amount,
  Country,
  Currency,
  CustomerEmail,
  createdRange,
  IdParam,
  ListQuery,
  Metadata,
  Method,
  Text,
  Timestamp,
} from '#shared/http/schema/common.schema.ts';
import { methodsAgree, PaymentMethodBody } from '#shared/http/schema/payment-method.schema.ts';

export const ById = IdParam('subscription');

export const CreateSubscriptionBody = z
  .strictObject({
    customer_id: Text(200, 1),
    plan_id: Text(200, 1),
    amount: Amount,
    currency: Currency,
    interval: z.enum(INTERVALS, `Must be one of ${INTERVALS.join(', ')}.`),
    method: Method.optional(),
    payment_method: PaymentMethodBody.optional(),
    start_at: Timestamp.optional(),
    customer_email: CustomerEmail.optional(),
    country: Country.optional(),
    metadata: Metadata.optional(),
  })
  .refine(...methodsAgree)
  .meta({ id: 'CreateSubscription' });
export type CreateSubscriptionBody = z.output<typeof CreateSubscriptionBody>;

const SETTABLE_STATUSES = ['active', 'paused'] as const;
export const UpdateSubscriptionBody = z
  .strictObject({
    amount: Amount.optional(),
    method: Method.optional(),
    payment_method: PaymentMethodBody.optional(),
    plan_id: Text(200, 1).optional(),
    metadata: Metadata.optional(),
    status: z.enum(SETTABLE_STATUSES, `Must be ${SETTABLE_STATUSES.join(' or ')}.`).optional(),
  })
  .refine(...methodsAgree)
  .meta({ id: 'UpdateSubscription' });
export type UpdateSubscriptionBody = z.output<typeof UpdateSubscriptionBody>;

export const CancelSubscriptionBody = z
  .strictObject({
    at_period_end: z.boolean('Must be true or false.').optional(),
  })
  .meta({ id: 'CancelSubscription' });
export type CancelSubscriptionBody = z.output<typeof CancelSubscriptionBody>;

const STATUSES = ['active', 'paused', 'canceled'] as const;
export const ListSubscriptionsQuery = ListQuery(
  {
    status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional(),
    customer_id: Text(200, 1).optional(),
    plan_id: Text(200, 1).optional(),
    ...createdRange,
  },
  { isPosition: (position) => parsePosition(position, 'subscription') !== undefined },
);
export type ListSubscriptionsQuery = z.output<typeof ListSubscriptionsQuery>;

const Nullable = z.string().nullable();

/** Only these fields leave the service: internal fields of a subscription are not listed. */
export const SubscriptionReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    customer_id: z.string(),
    customer_email: Nullable,
    country: Nullable,
    plan_id: z.string(),
    amount: z.number(),
    currency: z.string(),
    method: z.string(),
    payment_method_id: z.string().optional(),
    interval: z.enum(INTERVALS),
    status: z.enum(STATUSES),
    start_at: z.string(),
    next_renewal_at: Nullable,
    cancel_at_period_end: z.boolean(),
    canceled_at: Nullable,
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Subscription' });

export const SubscriptionsReply = z.array(SubscriptionReply);

export const UpcomingReply = z
  .object({
    subscription_id: z.string(),
    periods: z
      .array(
        z.object({
          number: z.int(),
          start: z.string(),
          end: z.string(),
          charged_at: z.string(),
          started: z.boolean(),
          amount: z.int(),
          currency: z.string(),
          plan_id: z.string(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'UpcomingPeriods' });
