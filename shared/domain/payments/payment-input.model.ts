import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** A provider's token of a saved card or wallet: its text, or the fields that the provider's adapter names. */
export type PaymentToken = string | Readonly<Record<string, string>>;

/** What a body has in place of the type, if it names a saved method without one. */
export const SAVED_METHOD_TYPE = 'saved';

/** A token that only the account of this connection knows. */
export type BoundToken = { readonly provider: Provider; readonly connection_id: string; readonly token: PaymentToken };

/** How a customer pays, as the caller sends it. A token can charge the customer, so it is sealed at once. */
export type PaymentMethodInput = {
  readonly type: string;
  readonly token?: PaymentToken;
  readonly tokens?: Readonly<Partial<Record<Provider, PaymentToken>>>;
  /** Of a saved method, beside `tokens`: never a caller's. */
  readonly bound?: readonly BoundToken[];
  /** A saved method, in place of all but `return_url`. Its tokens replace it before anything is charged. */
  readonly id?: string;
  readonly return_url?: string;
  readonly phone?: string;
  readonly network?: string;
  readonly bank?: string;
};

/** The payment that a caller requests. `amount` is in minor units of `currency`. */
export type CreatePaymentInput = PaymentDetails & {
  readonly amount: number;
  readonly currency: string;
  readonly method?: string;
  readonly country?: string;
  readonly customer_id?: string;
  readonly customer_email?: string;
  readonly customer_ip?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
  readonly payment_method?: PaymentMethodInput;
  readonly capture?: 'automatic' | 'manual';
  /** The PSP shall keep the payment method, and it becomes a saved method of the customer. */
  readonly save?: boolean;
  /** The saved method that `payment_method` was read from. */
  readonly payment_method_id?: string;
};
