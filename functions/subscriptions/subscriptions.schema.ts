import * as z from 'zod';
import { INTERVALS } from '#shared/domain/billing/billing-calendar.rules.ts';
import { MAX_UPCOMING } from '#shared/domain/billing/upcoming-periods.rules.ts';
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

/** The latest start of a new subscription. */
export const MAX_YEARS_AHEAD = 5;

export const CreateSubscriptionBody = z
  .strictObject({
    customer_id: Text(200, 1),
    plan_id: Text(200, 1),
    amount: Amount,
    currency: Currency,
    interval: z.enum(INTERVALS, `Must be one of ${INTERVALS.join(', ')}.`),
    method: Method.optional().meta({
      description: 'How the customer pays. Defaults to the type of `payment_method`, or to `card`.',
    }),
    payment_method: PaymentMethodBody.optional(),
    start_at: Timestamp.optional().meta({
      description:
        `When the first period starts and is charged: now by default, at most ${MAX_YEARS_AHEAD} years ahead. The ` +
        'other periods start at the same day and time, in UTC.',
    }),
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
    status: z
      .enum(SETTABLE_STATUSES, `Must be ${SETTABLE_STATUSES.join(' or ')}.`)
      .optional()
      .meta({
        description:
          '`paused`: nothing renews, and started periods that are not charged yet wait. `active`: a paused ' +
          'subscription is charged for those, and then renews at the next date ahead.',
      }),
  })
  .refine(...methodsAgree)
  .meta({
    id: 'UpdateSubscription',
    description:
      'Fields that are not sent stay unchanged. Changes apply from the next period on, without proration: a period ' +
      'that has started is charged on the terms it started with, even if it is charged late. A new payment method ' +
      'applies to the next charge, including retries of the same method type.',
  });
export type UpdateSubscriptionBody = z.output<typeof UpdateSubscriptionBody>;

export const CancelSubscriptionBody = z
  .strictObject({
    at_period_end: z
      .boolean('Must be true or false.')
      .optional()
      .meta({
        description:
          '`true`: the subscription ends when the next period would start. The current period is charged, and an ' +
          'invoice that is still open then is retried until it is paid or has failed. `false` or not sent: the ' +
          'subscription and its open invoices are canceled now, and started periods are not charged any more.',
      }),
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
    amount: z.number().meta({ description: 'Per period, in minor units.' }),
    currency: z.string(),
    method: z.string(),
    payment_method_id: z
      .string()
      .optional()
      .meta({ description: 'The saved payment method that it is charged with: its tokens are read at each charge.' }),
    interval: z.enum(INTERVALS).meta({
      description:
        'Periods are counted from `start_at`, in UTC: a subscription that starts on the 31st renews on the last ' +
        'day of shorter months, and on the 31st of longer ones.',
    }),
    status: z.enum(STATUSES).meta({ description: '`canceled` is final.' }),
    start_at: z.string(),
    next_renewal_at: Nullable.meta({
      description:
        'When the next period starts and is charged, or, with `cancel_at_period_end`, when the subscription ends. ' +
        '`null` while nothing renews.',
    }),
    cancel_at_period_end: z.boolean(),
    canceled_at: Nullable,
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Subscription',
    description: 'A customer who is charged off-session for each period. The payment method is never returned.',
  });

export const SubscriptionsReply = z.array(SubscriptionReply).meta({
  description:
    'Newest first. With rare matches a page may hold fewer than `limit` objects, or none: there are more pages as ' +
    'long as there is a `Link` header.',
});

export const UpcomingReply = z
  .object({
    subscription_id: z.string(),
    periods: z
      .array(
        z.object({
          number: z.int().meta({ description: 'The number of the period, from 1.' }),
          start: z.string(),
          end: z.string(),
          charged_at: z.string().meta({
            description: 'Its start, or later where the organization may not take payments before that.',
          }),
          started: z.boolean().meta({ description: 'Whether it has started, and is not charged yet.' }),
          amount: z.int(),
          currency: z.string(),
          plan_id: z.string(),
        }),
      )
      .readonly(),
  })
  .meta({
    id: 'UpcomingPeriods',
    description: `The next ${MAX_UPCOMING} periods at most, if nothing changes. Empty while nothing renews.`,
  });
