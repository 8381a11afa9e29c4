import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Flutterwave');

export const readTransaction = (value: unknown): Transaction => readObject(Transaction, 'transaction', value);

export const readRefund = (value: unknown): Refund => readObject(Refund, 'refund', value);

/** Ids and amounts are numbers or texts, depending on the endpoint. */
const id = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String);

const decimal = z.union([z.number(), z.string()]).nullish();

const text = z.string().nullish();

/** `success` says that the call worked, not the payment. */
export const Envelope = z.looseObject({
  status: z.enum(['success', 'error']),
  message: z.string().nullish(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
});

const textOrNumber = z
  .union([z.string().max(255), z.number()])
  .nullish()
  .catch(undefined);

/** `token` is shown by look-ups and in responses, of successful charges only. */
const Card = z.looseObject({
  token: z.string().min(1).max(255).nullish().catch(undefined),
  last_4digits: textOrNumber,
  type: z.string().max(255).nullish().catch(undefined),
  country: textOrNumber,
  expiry: textOrNumber,
});

/** What is read of a transaction, and no more. */
export const Transaction = z.looseObject({
  id,
  tx_ref: z.string().min(1),
  flw_ref: text,
  status: z.string(),
  amount: decimal,
  charged_amount: decimal,
  currency: text,
  processor_response: text,
  payment_type: text,
  auth_url: text,
  meta: z.unknown().optional(),
  card: Card.nullish().catch(undefined),
  customer: z
    .looseObject({ email: z.string().min(3).max(255) })
    .nullish()
    .catch(undefined),
});

export type Transaction = z.infer<typeof Transaction>;

export const Page = z.looseObject({ link: z.url({ protocol: /^https?$/ }) });

/** `comments` contains our refund's id. Whether lists show it is UNVERIFIED. */
export const Refund = z.looseObject({
  id,
  tx_id: id.nullish(),
  transaction_id: id.nullish(),
  amount_refunded: decimal,
  currency: text,
  status: z.string(),
  comments: text,
});

export type Refund = z.infer<typeof Refund>;

export const PageInfo = z.looseObject({ page_info: z.looseObject({ total_pages: z.int().nonnegative() }) });

export const Authorization = z.looseObject({ mode: text, redirect: text });

export type Authorization = z.infer<typeof Authorization>;

export const WithAuthorization = z.looseObject({ authorization: Authorization });

export const OurKeys = z.looseObject({ payment_id: z.string() });
