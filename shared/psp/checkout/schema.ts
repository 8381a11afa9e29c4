import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Checkout.com');

export const readPayment = (value: unknown): Payment => readObject(Payment, 'payment', value);

export const readPage = (value: unknown): Page => readObject(Page, 'hosted page', value);

export const readActions = (value: unknown): readonly Action[] => readObject(Action.array(), 'list of actions', value);

export const readList = (value: unknown): readonly unknown[] => readObject(PaymentList, 'list of payments', value).data;

/** The reference of an accepted action. Its result follows. */
export const readAccepted = (value: unknown): string => readObject(Accepted, 'response', value).action_id;

/** What is read of Checkout.com's objects, and no more: it adds fields without notice. */
const link = z
  .looseObject({ href: z.string().regex(/^https?:\/\/\S+$/) })
  .optional()
  .catch(undefined);

/** Digits may come as a number, and an odd value says nothing. */
const code = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);

const amount = z.int().nonnegative();

/** Advice about a decline, and the issuer's own code. */
const processing = z
  .looseObject({ recommendation_code: code, partner_merchant_advice_code: code, partner_response_code: code })
  .nullish()
  .catch(undefined);

const fact = z.unknown().optional();

/** The card, and what it is kept as. What a merchant sees of it is checked where the report is made. */
const source = z
  .looseObject({
    id: fact,
    scheme: fact,
    last4: fact,
    card_type: fact,
    issuer_country: fact,
    expiry_month: fact,
    expiry_year: fact,
    avs_check: fact,
    cvv_check: fact,
  })
  .nullish()
  .catch(undefined);

export const ErrorResponse = z.union([
  z.looseObject({ error_codes: z.array(z.string()) }),
  z.looseObject({ error_type: z.string() }),
]);

export const Payment = z.looseObject({
  id: z.string().regex(/^pay_\w{1,100}$/),
  status: z.string(),
  amount: amount.nullish(),
  currency: z.string().length(3).nullish(),
  reference: z.string().nullish(),
  requested_on: z.string().nullish(),
  payment_type: z.string().nullish().catch(undefined),
  response_code: code,
  processing,
  '3ds': z
    .looseObject({ authentication_response: code, authentication_status_reason: code, eci: code })
    .nullish()
    .catch(undefined),
  eci: code,
  scheme_id: code,
  source,
  /** A summary, which not every response has. */
  actions: z
    .array(z.looseObject({ type: z.string(), approved: z.boolean().nullish(), response_code: code }))
    .nullish()
    .catch(undefined),
  balances: z
    .looseObject({
      total_authorized: amount.nullish(),
      total_captured: amount.nullish(),
      available_to_capture: amount.nullish(),
    })
    .nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  _links: z.looseObject({ redirect: link, capture: link }).nullish(),
});

export type Payment = z.infer<typeof Payment>;

const PaymentList = z.looseObject({ data: z.array(z.unknown()) });

export const Page = z.looseObject({
  id: z.string().regex(/^hpp_[\w-]{1,100}$/),
  status: z.string().nullish(),
  payment_id: z.string().nullish(),
  _links: z.looseObject({ redirect: link }).nullish(),
});

export type Page = z.infer<typeof Page>;

export const Action = z.looseObject({
  id: z.string().min(1),
  type: z.string(),
  amount: amount.nullish(),
  approved: z.boolean().nullish(),
  response_code: code,
  processing,
  reference: z.string().nullish(),
  processed_on: z.string().nullish().catch(undefined),
});

export type Action = z.infer<typeof Action>;

const Accepted = z.looseObject({ action_id: z.string().regex(/^act_\w{1,100}$/) });
