import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** A provider's token of a saved card or wallet: its text, or the fields that the provider's adapter names. */
export type PaymentToken = string | Readonly<Record<string, string>>;

/** How a customer pays, as the caller sends it. A token can charge the customer, so it is sealed at once. */
export type PaymentMethodInput = {
  readonly type: string;
  readonly token?: PaymentToken;
  readonly tokens?: Readonly<Partial<Record<Provider, PaymentToken>>>;
  readonly return_url?: string;
  readonly phone?: string;
  readonly network?: string;
  readonly bank?: string;
};

/** The payment that a caller requests. `amount` is in minor units of `currency`. */
export type CreatePaymentInput = {
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
};
