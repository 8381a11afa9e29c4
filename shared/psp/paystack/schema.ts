import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Paystack');

export const readRefund = (value: unknown): Refund => readObject(Refund, 'refund', value);

const text = z.string().nullish().catch(undefined);

/** `status` says whether the call worked, never whether the payment did. */
export const Envelope = z.looseObject({
  status: z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]),
  message: text,
  code: text,
  type: text,
  data: z.unknown().optional(),
});

export type Envelope = z.infer<typeof Envelope>;

/** Paystack's number of an object: up to 64 bits, so that it may be text. */
const number = z.union([z.number(), z.string()]).transform(String).optional().catch(undefined);

/** The card or account that a transaction was paid with. */
const Authorization = z.looseObject({
  authorization_code: z.string().min(1).max(255).nullish().catch(undefined),
  channel: text,
  brand: text,
  card_type: text,
  last4: text,
  exp_month: text,
  exp_year: text,
  country_code: text,
  reusable: z.boolean().nullish().catch(undefined),
});

/** A transaction, or the current step of a charge. Only the fields that we read. */
export const Transaction = z.looseObject({
  /** Paystack's own number, by which refunds name their transaction. */
  id: number,
  status: z.string().min(1).optional(),
  reference: z.string().min(1).optional(),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  /** What was asked for, where the customer pays Paystack's fees on top. */
  requested_amount: z.unknown().optional(),
  fees: z.unknown().optional(),
  gateway_response: text,
  message: text,
  url: text,
  /** A stored card whose bank wants its holder: the charge waits at this address. */
  paused: z.boolean().optional().catch(undefined),
  authorization_url: text,
  created_at: text,
  createdAt: text,
  channel: text,
  authorization: Authorization.nullish().catch(undefined),
  customer: z
    .looseObject({ email: z.string().min(3).max(254) })
    .nullish()
    .catch(undefined),
});

export type Transaction = z.infer<typeof Transaction>;

export const Page = z.looseObject({ authorization_url: z.string().min(1), reference: z.string().min(1) });

export const Refund = z.looseObject({
  id: z.union([z.int().nonnegative(), z.string().regex(/^[\w.-]{1,100}$/)]).transform(String),
  status: z.string().min(1),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  merchant_note: text,
  transaction_reference: text,
  /** A number in lists and look-ups, an object in the response to a new refund. */
  transaction: z.union([z.looseObject({ id: number, reference: text }), number]).nullish(),
});

export type Refund = z.infer<typeof Refund>;

export const Balances = z.array(z.looseObject({ currency: z.string() }));
