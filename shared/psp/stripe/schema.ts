import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Stripe');

export const readIntent = (value: unknown): PaymentIntent => readObject(PaymentIntent, 'payment intent', value);

export const readSession = (value: unknown): Session => readObject(Session, 'checkout session', value);

export const readCustomer = (value: unknown): Customer => readObject(Customer, 'customer', value);

export const readRefund = (value: unknown): Refund => readObject(Refund, 'refund', value);

const networkCode = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);

const fact = z.unknown().optional();

/** A card of a charge, or of the error of one. What a merchant sees of it is checked where the report is made. */
const CardDetails = z.looseObject({
  brand: z.string().nullish().catch(undefined),
  last4: fact,
  funding: fact,
  country: fact,
  exp_month: fact,
  exp_year: fact,
  network_transaction_id: fact,
  electronic_commerce_indicator: fact,
  three_d_secure: z.looseObject({ electronic_commerce_indicator: fact }).nullish().catch(undefined),
  checks: z
    .looseObject({ address_line1_check: fact, address_postal_code_check: fact, cvc_check: fact })
    .nullish()
    .catch(undefined),
});

export type CardDetails = Partial<z.infer<typeof CardDetails>>;

/** What is read of Stripe's objects, and no more: webhooks and later versions may carry anything beside it. */
export const StripeError = z.looseObject({
  type: z.string(),
  code: z.string().nullish(),
  decline_code: z.string().nullish(),
  advice_code: z.string().nullish(),
  network_advice_code: networkCode,
  network_decline_code: networkCode,
  payment_method: z.looseObject({ card: CardDetails.nullish() }).nullish().catch(undefined),
  param: z.string().nullish(),
  payment_intent: z.unknown().optional(),
});

export type StripeError = z.infer<typeof StripeError>;

/** Stripe's own examples have the type. Copies of its events that lost it are read all the same. */
const LastPaymentError = StripeError.partial({ type: true });

export type LastPaymentError = z.infer<typeof LastPaymentError>;

export const ErrorResponse = z.looseObject({ error: StripeError });

export const NextActionShape = z.looseObject({ type: z.string() });

export type NextActionShape = z.infer<typeof NextActionShape>;

const units = z.int().nonnegative().nullish().catch(undefined);

/** An expanded charge. `capture_before`: until when its money is held. */
const Charge = z.looseObject({
  id: z.string(),
  payment_method_details: z
    .looseObject({
      card: z
        .looseObject({
          ...CardDetails.shape,
          amount_authorized: units,
          capture_before: z.int().nullish().catch(undefined),
        })
        .nullish(),
    })
    .nullish(),
  outcome: z
    .looseObject({ network_decline_code: networkCode, network_advice_code: networkCode })
    .nullish()
    .catch(undefined),
});

export type Charge = z.infer<typeof Charge>;

/** The id of an object, expanded or not. */
const idOf = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .catch(undefined);

export const PaymentIntent = z.looseObject({
  id: z.string().startsWith('pi_'),
  object: z.literal('payment_intent'),
  status: z.string(),
  amount_received: z.int().nonnegative().nullish(),
  currency: z.string().length(3),
  created: z.int().nullish(),
  client_secret: z.string().nullish(),
  last_payment_error: LastPaymentError.nullish(),
  next_action: NextActionShape.nullish(),
  amount: units,
  amount_capturable: units,
  cancellation_reason: z.string().nullish().catch(undefined),
  customer: idOf,
  payment_method: idOf,
  setup_future_usage: z.string().nullish().catch(undefined),
  latest_charge: z.union([z.string(), Charge]).nullish().catch(undefined),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

export type PaymentIntent = z.infer<typeof PaymentIntent>;

export const Session = z.looseObject({
  id: z.string().startsWith('cs_'),
  object: z.literal('checkout.session'),
  status: z.string().nullish(),
  url: z.string().nullish(),
  expires_at: z.int().nullish(),
  payment_intent: z.union([z.string(), PaymentIntent]).nullish(),
});

export type Session = z.infer<typeof Session>;

export const Refund = z.looseObject({
  id: z.string().min(1),
  object: z.literal('refund'),
  status: z.string().nullish(),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  failure_reason: z.string().nullish(),
});

export type Refund = z.infer<typeof Refund>;

const Customer = z.looseObject({ id: z.string().regex(/^cus_\w{1,100}$/), object: z.literal('customer') });

type Customer = z.infer<typeof Customer>;

const name = z.string().nullish();

export const Account = z.looseObject({
  object: z.literal('account'),
  business_profile: z.looseObject({ name }).nullish(),
  settings: z.looseObject({ dashboard: z.looseObject({ display_name: name }).nullish() }).nullish(),
  company: z.looseObject({ name }).nullish(),
});

export const SearchPage = z.looseObject({ data: z.array(z.unknown()) });
