import * as z from 'zod';
import { isCreationPosition } from '#shared/domain/reference/page.rules.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  Country,
  IdParam,
  ListQuery,
  Method,
  Text,
} from '#shared/http/schema/common.schema.ts';
import { Token } from '#shared/http/schema/payment-method.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

export const ById = IdParam('paymentMethod');

const BRAND = 'Must be the name of a brand in lower case, such as visa.';
const LAST4 = 'Must be the last four digits of the card.';
const FUNDING = ['credit', 'debit', 'prepaid'] as const;
const MONTH = 'Must be a month, 1 to 12.';
const YEAR = 'Must be a year of four digits.';

const CardBody = z.strictObject({
  brand: z
    .string(BRAND)
    // No run of digits: a card number must not pass as one.
    .regex(/^(?!.*\d{5})[a-z][a-z0-9_]{0,39}$/, BRAND)
    .optional(),
  last4: z
    .string(LAST4)
    .regex(/^\d{4}$/, LAST4)
    .optional(),
  exp_month: z.int(MONTH).min(1, MONTH).max(12, MONTH).optional(),
  exp_year: z.int(YEAR).min(2_000, YEAR).max(2_099, YEAR).optional(),
  funding: z.enum(FUNDING, `Must be one of ${FUNDING.join(', ')}.`).optional(),
  issuer_country: Country.optional(),
});

const CHAIN = 'Must be the text that the network gave, of 1 to 64 letters, digits and dashes.';
const NetworkTransactionId = z.string(CHAIN).regex(/^[\w-]{1,64}$/, CHAIN);

const OnlyTrue = z.literal(true, 'Must be true, or left out: another method becomes the default instead.');

export const CreatePaymentMethodBody = z
  .strictObject({
    customer_id: Text(200, 1),
    type: Method,
    tokens: z.partialRecord(z.enum(PROVIDERS), Token).refine((tokens) => Object.keys(tokens).length > 0, {
      message: 'Must have the token of at least one provider.',
      when: ({ issues }) => issues.length === 0,
    }),
    card: CardBody.optional(),
    network_transaction_id: NetworkTransactionId.optional(),
    default: OnlyTrue.optional(),
  })
  .meta({ id: 'CreatePaymentMethod' });
export type CreatePaymentMethodBody = z.output<typeof CreatePaymentMethodBody>;

export const UpdatePaymentMethodBody = z
  .strictObject({
    tokens: z.partialRecord(z.enum(PROVIDERS), Token.nullable()).optional(),
    card: CardBody.optional(),
    network_transaction_id: NetworkTransactionId.optional(),
    default: OnlyTrue.optional(),
  })
  .meta({ id: 'UpdatePaymentMethod' });
export type UpdatePaymentMethodBody = z.output<typeof UpdatePaymentMethodBody>;

export const ListPaymentMethodsQuery = ListQuery(
  { customer_id: Text(200, 1) },
  { isPosition: (position) => isCreationPosition(position, 'paymentMethod'), maxOffset: ANY_OFFSET },
);
export type ListPaymentMethodsQuery = z.output<typeof ListPaymentMethodsQuery>;

const CardReply = z.object({
  brand: z.string().optional(),
  last4: z.string().optional(),
  exp_month: z.int().optional(),
  exp_year: z.int().optional(),
  funding: z.enum(FUNDING).optional(),
  issuer_country: z.string().optional(),
});

export const PaymentMethodReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    customer_id: z.string(),
    type: z.string(),
    card: CardReply.nullable(),
    providers: z.array(z.enum(PROVIDERS)),
    network_transaction_id: z.string().nullable(),
    default: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'SavedPaymentMethod' });

export const PaymentMethodsReply = z
  .object({ payment_methods: z.array(PaymentMethodReply), pagination: CountedPagination })
  .meta({ id: 'SavedPaymentMethodList' });
