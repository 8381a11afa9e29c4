import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('PayPal');

export const readOrder = (value: unknown): Order => readObject(Order, 'order', value);

export const readCapture = (value: unknown): Capture => readObject(Capture, 'capture', value);

export const readRefund = (value: unknown): Refund => readObject(Refund, 'refund', value);

export const readNewRefund = (value: unknown): NewRefund => readObject(NewRefund, 'refund', value);

/** What is read of PayPal's objects, and no more: later versions may carry anything beside it. */
export const Money = z.looseObject({ currency_code: z.string().length(3), value: z.string().max(32) });

export type Money = z.infer<typeof Money>;

const Link = z.looseObject({ href: z.string(), rel: z.string() });

export const Links = z.array(Link).nullish().catch(undefined);

export type Links = z.infer<typeof Links>;

const id = z.string().min(1).max(64);

/** Digits may come as a number. */
const code = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);

export const Capture = z.looseObject({
  id,
  status: z.string(),
  amount: Money,
  processor_response: z
    .looseObject({ response_code: code, payment_advice_code: code, avs_code: code, cvv_code: code })
    .nullish()
    .catch(undefined),
  status_details: z.looseObject({ reason: code }).nullish().catch(undefined),
  network_transaction_reference: z.looseObject({ network: code, id: code, date: code }).nullish().catch(undefined),
  links: Links,
  final_capture: z.boolean().nullish().catch(undefined),
  invoice_id: z.string().nullish().catch(undefined),
});

export type Capture = z.infer<typeof Capture>;

/** `expiration_time`: until when it can be captured. */
export const Authorization = Capture.extend({
  expiration_time: z.string().nullish().catch(undefined),
  update_time: z.string().nullish().catch(undefined),
});

export type Authorization = z.infer<typeof Authorization>;

/** Whatever stands here decides whether money is taken, so nothing of it is dropped: an odd value is no absent one. */
const word = z.unknown().optional();

const Authentication = z.looseObject({
  liability_shift: word,
  three_d_secure: z.looseObject({ enrollment_status: word, authentication_status: word }).nullish(),
});

const Card = z.looseObject({
  brand: code,
  authentication_result: Authentication.nullish(),
  last_digits: code,
  type: code,
  expiry: code,
  bin_details: z.looseObject({ bin_country_code: code }).nullish().catch(undefined),
});

/** `vault`: the account as PayPal keeps it for later charges. */
const Wallet = z
  .looseObject({ attributes: z.looseObject({ vault: z.looseObject({ id: code, status: code }).nullish() }).nullish() })
  .nullish()
  .catch(undefined);

/** PayPal leaves the status out of some orders whose capture was declined: then the capture decides. */
export const Order = z.looseObject({
  id,
  status: z.string().nullish(),
  update_time: z.string().nullish().catch(undefined),
  links: Links,
  payment_source: z.looseObject({ card: Card.nullish(), paypal: Wallet }).nullish(),
  purchase_units: z
    .array(
      z.looseObject({
        payments: z
          .looseObject({ authorizations: z.array(Authorization).nullish(), captures: z.array(Capture).nullish() })
          .nullish(),
      }),
    )
    .nullish(),
});

export type Order = z.infer<typeof Order>;

/** A minimal response has no amount. */
export const NewRefund = z.looseObject({ id, status: z.string() });

export type NewRefund = z.infer<typeof NewRefund>;

export const Refund = NewRefund.extend({ amount: Money });

export type Refund = z.infer<typeof Refund>;

/** Errors of the API itself, and those of its login. */
export const PaypalError = z.looseObject({
  name: z.string(),
  details: z
    .array(z.looseObject({ issue: code, field: code }))
    .nullish()
    .catch(undefined),
  links: Links,
});

export type PaypalError = z.infer<typeof PaypalError>;

export const LoginError = z.looseObject({ error: z.string() });

export const TokenResponse = z.looseObject({
  access_token: z.string().min(1).max(4_000),
  expires_in: z.number().nonnegative(),
});

export const WebhookResponse = z.looseObject({ id });
