import * as z from 'zod';
import { INTERVALS } from '#shared/domain/billing/billing-calendar.rules.ts';
import { positionIn } from '#shared/domain/reference/list-position.rules.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  Amount,
  Country,
  Currency,
  IdParam,
  ListQuery,
  Metadata,
  Method,
  Text,
  Timestamp,
} from '#shared/http/schema/common.schema.ts';
import { PaymentMethodBody } from '#shared/http/schema/payment-method.schema.ts';

export const ById = IdParam('subscription');

const EMAIL = 'Must be a mail address of at most 320 characters.';

/** Reported together with all other faults. */
const methodsAgree = {
  path: ['payment_method', 'type'],
  message: 'Must equal method.',
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null,
};
type Methods = {
  readonly method?: string | undefined;
  readonly payment_method?: { readonly type?: string | undefined } | undefined;
};
const agree = ({ method, payment_method }: Methods): boolean =>
  method === undefined || payment_method?.type === undefined || method === payment_method.type;

export const CreateSubscriptionBody = z
  .strictObject({
    customer_id: Text(200, 1),
    plan_id: Text(200, 1),
    amount: Amount,
    currency: Currency,
    interval: z.enum(INTERVALS, `Must be one of ${INTERVALS.join(', ')}.`),
    method: Method.optional().meta({
      description: "How the customer pays; the payment method's type, or `card`, where it is left out.",
    }),
    payment_method: PaymentMethodBody.optional(),
    start_at: Timestamp.optional().meta({
      description:
        'When the first period begins, and is charged: now where it is left out, within five years. The others begin at this day and time, in UTC.',
    }),
    customer_email: z.email(EMAIL).max(320, EMAIL).optional(),
    country: Country.optional(),
    metadata: Metadata.optional(),
  })
  .refine(agree, methodsAgree)
  .meta({ id: 'CreateSubscription' });
export type CreateSubscriptionBody = z.output<typeof CreateSubscriptionBody>;

const MOVES = ['active', 'paused'] as const;
export const UpdateSubscriptionBody = z
  .strictObject({
    amount: Amount.optional(),
    method: Method.optional(),
    payment_method: PaymentMethodBody.optional(),
    plan_id: Text(200, 1).optional(),
    metadata: Metadata.optional(),
    status: z
      .enum(MOVES, `Must be ${MOVES.join(' or ')}.`)
      .optional()
      .meta({
        description:
          '`paused`: nothing renews, and what had begun without being charged yet waits. `active`: a paused one goes on with that, and then with the next date that lies ahead.',
      }),
  })
  .refine(agree, methodsAgree)
  .meta({
    id: 'UpdateSubscription',
    description:
      'What is not sent stays; what is sent replaces what there was. It counts from the next period on, without proration: one that has begun is charged by what it was begun with, also where it could not be charged yet. A payment method counts for whatever is charged next, retries of the same type included.',
  });
export type UpdateSubscriptionBody = z.output<typeof UpdateSubscriptionBody>;

export const CancelSubscriptionBody = z
  .strictObject({
    at_period_end: z.boolean('Must be true or false.').optional().meta({
      description:
        'It stays as it is until the next period would begin; the one that runs is charged, and an invoice that is open by then is tried on until it is paid or has failed. Without this it ends now, and so do its open invoices, and nothing is charged of what has begun.',
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
    created_after: Timestamp.optional().meta({ description: 'One made at this very millisecond is in the list.' }),
    created_before: Timestamp.optional().meta({
      description: 'One made at this very millisecond is not in the list: spans join without a gap.',
    }),
  },
  { isPosition: (position) => positionIn(position, 'subscription') !== undefined },
);
export type ListSubscriptionsQuery = z.output<typeof ListSubscriptionsQuery>;

const Nullable = z.string().nullable();

/** Only these fields leave the service: inner fields of a subscription are not listed. */
export const SubscriptionReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    customer_id: z.string(),
    customer_email: Nullable,
    country: Nullable,
    plan_id: z.string(),
    amount: z.number().meta({ description: 'Of each period.' }),
    currency: z.string(),
    method: z.string(),
    interval: z.enum(INTERVALS).meta({
      description:
        'Periods are counted from `start_at`, in UTC: what begins on the 31st renews on the last day of a shorter month, and on the 31st again after it.',
    }),
    status: z.enum(STATUSES).meta({ description: '`canceled` is final.' }),
    start_at: z.string(),
    next_renewal_at: Nullable.meta({
      description:
        'When the next period begins and is charged, or, with `cancel_at_period_end`, when the subscription ends; `null` while nothing renews.',
    }),
    cancel_at_period_end: z.boolean(),
    canceled_at: Nullable,
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Subscription',
    description: 'A customer who is charged for each period, while away. Its payment method is shown to nobody.',
  });

export const SubscriptionsReply = z.array(SubscriptionReply).meta({
  description:
    'Newest first. Where hits are rare, a page holds fewer than `limit`, or none: as long as there is a `Link`, it leads on.',
});
