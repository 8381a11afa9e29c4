import type { Provider } from '#shared/domain/providers.catalog.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { adyen } from '#shared/psp/adyen/adyen.adapter.ts';
import { checkout } from '#shared/psp/checkout/checkout.adapter.ts';
import { flutterwave } from '#shared/psp/flutterwave/flutterwave.adapter.ts';
import { mollie } from '#shared/psp/mollie/mollie.adapter.ts';
import { paypal } from '#shared/psp/paypal/paypal.adapter.ts';
import { paystack } from '#shared/psp/paystack/paystack.adapter.ts';
import { razorpay } from '#shared/psp/razorpay/razorpay.adapter.ts';
import { stripe } from '#shared/psp/stripe/stripe.adapter.ts';

/** One line a provider. Each adapter only ever meets credentials that its own `parseCredentials` has passed. */
export const PSPS: Readonly<Partial<Record<Provider, PspAdapter>>> = {
  stripe,
  mollie,
  paystack,
  adyen,
  checkout,
  razorpay,
  paypal,
  flutterwave,
};

export const adapterOf = (provider: Provider): PspAdapter | undefined => PSPS[provider];
