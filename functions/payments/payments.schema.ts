import * as z from 'zod';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import {
  Amount,
  CaptureMode,
  Country,
  Currency,
  CustomerEmail,
  createdRange,
  Flag,
  ListQuery,
  Metadata,
  Method,
  Pagination,
  Text,
} from '#shared/http/schema/common.schema.ts';
import { PaymentReply } from '#shared/http/schema/payment.schema.ts';
import { CUSTOMER_DETAILS, DETAILS } from '#shared/http/schema/payment-details.schema.ts';
import {
  CustomerMethodBody,
  methodsAgree,
  PaymentMethodBody,
  saveNeedsCustomer,
} from '#shared/http/schema/payment-method.schema.ts';

const Save = Flag;

export const CreatePaymentBody = z
  .strictObject({
    amount: Amount,
    currency: Currency,
    method: Method.optional(),
    country: Country.optional(),
    customer_id: Text(200, 1).optional(),
    customer_email: CustomerEmail.optional(),
    customer_ip: z.union([z.ipv4(), z.ipv6()], 'Must be an IP address.').optional(),
    description: Text(500, 1).optional(),
    metadata: Metadata.optional(),
    capture: CaptureMode.optional(),
    payment_method: PaymentMethodBody.optional(),
    save: Save.optional(),
    ...DETAILS,
  })
  .refine(...methodsAgree)
  .refine(...saveNeedsCustomer)
  .meta({ id: 'CreatePayment' });

/** A provider's component returns a handful of fields. */
const MAX_INPUT_FIELDS = 20;

export const ConfirmPaymentBody = z
  .strictObject({
    payment_method: PaymentMethodBody.optional(),
    save: Save.optional(),
    input: z
      .record(
        Text(60, 1),
        z.union(
          [Text(2_000, 1), z.number(), z.boolean()],
          'Must be text of 1 to 2000 characters, a number, true or false.',
        ),
      )
      .refine((input) => Object.keys(input).length <= MAX_INPUT_FIELDS, `Must have at most ${MAX_INPUT_FIELDS} fields.`)
      .optional(),
    ...DETAILS,
  })
  .meta({ id: 'ConfirmPayment' });

/** A browser's `confirm` has no `return_url`: a thief could send the customer to a page of their own. */
export const ConfirmIntentBody = z
  .strictObject({
    input: ConfirmPaymentBody.shape.input,
    ...CUSTOMER_DETAILS,
    client_secret: Text(500, 1),
    payment_method: CustomerMethodBody.optional(),
  })
  .meta({ id: 'ConfirmIntent' });

export const ListPaymentsQuery = ListQuery(
  {
    status: z.enum(PAYMENT_STATUSES, `Must be one of ${PAYMENT_STATUSES.join(', ')}.`).optional(),
    customer_id: Text(200, 1).optional(),
    connection_id: Text(64, 1).optional(),
    currency: Currency.optional(),
    ...createdRange,
  },
  { isPosition: (position) => parsePosition(position) !== undefined },
);
export type ListPaymentsQuery = z.output<typeof ListPaymentsQuery>;

/** `client_secret` is for the customer's browser, and shown to the creator only. */
export const IntentReply = PaymentReply.extend({ client_secret: z.string() }).meta({ id: 'PaymentIntent' });

/** What the holder of the client secret sees: the customer's view. */
export const ConfirmedIntentReply = PaymentReply.pick({
  id: true,
  status: true,
  amount: true,
  currency: true,
  next_action: true,
  failure: true,
}).meta({
  id: 'ConfirmedIntent',
});

export const PaymentsReply = z
  .object({
    payments: z.array(PaymentReply),
    pagination: Pagination,
  })
  .meta({ id: 'PaymentList' });
