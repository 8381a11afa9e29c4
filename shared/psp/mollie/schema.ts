import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Mollie');

export const readPayment = (value: unknown): Payment => readObject(Payment, 'payment', value);

export const readCapture = (value: unknown): Capture => readObject(Capture, 'capture', value);

export const readRefund = (value: unknown): Refund => readObject(Refund, 'refund', value);

/** What is read of Mollie's objects, and no more. */
const Amount = z.looseObject({ value: z.string().max(40), currency: z.string().length(3) });

const Link = z.looseObject({ href: z.string() }).nullish();

const code = z.string().nullish().catch(undefined);

export const Refund = z.looseObject({
  resource: z.literal('refund'),
  id: z.string().regex(/^re_[A-Za-z0-9]{1,64}$/),
  status: z.string(),
  amount: Amount,
  metadata: z.unknown().optional(),
});

export type Refund = z.infer<typeof Refund>;

export const Capture = z.looseObject({
  resource: z.literal('capture'),
  id: z.string().regex(/^cpt_[A-Za-z0-9]{1,64}$/),
  status: z.string(),
  amount: Amount,
  metadata: z.unknown().optional(),
});

export type Capture = z.infer<typeof Capture>;

export const Payment = z.looseObject({
  resource: z.literal('payment'),
  id: z.string().regex(/^tr_[A-Za-z0-9]{1,64}$/),
  status: z.string(),
  amount: Amount,
  amountCaptured: Amount.nullish(),
  authorizedAt: z.string().nullish().catch(undefined),
  captureBefore: z.string().nullish().catch(undefined),
  metadata: z.looseObject({ payment_id: z.string() }).nullish().catch(undefined),
  webhookUrl: z.string().nullish().catch(undefined),
  isCancelable: z.boolean().nullish(),
  expiresAt: z.string().nullish(),
  sequenceType: code,
  customerId: code,
  mandateId: code,
  details: z
    .looseObject({
      failureReason: code,
      bankReasonCode: code,
      cardNumber: code,
      cardLabel: code,
      cardFunding: code,
      cardCountryCode: code,
      cardExpiryDate: code,
      card3dsEci: code,
    })
    .nullish()
    .catch(undefined),
  statusReason: z.looseObject({ code }).nullish().catch(undefined),
  _links: z.looseObject({ checkout: Link }).nullish(),
  /** Only if requested. */
  _embedded: z
    .looseObject({
      refunds: z.array(Refund).optional(),
      captures: z.array(Capture).optional(),
      chargebacks: z.array(z.unknown()).optional(),
    })
    .nullish()
    .catch(undefined),
});

export type Payment = z.infer<typeof Payment>;

export const RefundPage = z.looseObject({
  _embedded: z.looseObject({ refunds: z.array(Refund) }),
  _links: z.looseObject({ next: Link }).nullish(),
});

export const CapturePage = z.looseObject({
  _embedded: z.looseObject({ captures: z.array(Capture) }),
  _links: z.looseObject({ next: Link }).nullish(),
});

export const Profile = z.looseObject({ resource: z.literal('profile'), name: z.string().nullish() });

export const MollieError = z.looseObject({
  status: z.int(),
  title: z.string(),
  detail: z.string().nullish().catch(undefined),
  field: z.string().nullish().catch(undefined),
});

export type MollieError = z.infer<typeof MollieError>;
