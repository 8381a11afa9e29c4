import type { Provider } from '#shared/domain/providers.catalog.ts';

type Mode = 'sandbox' | 'live';

/** `{prefix}` is the account's own part of the host name (`PspRequest.hostPrefix`). */
const BASE_URLS: Readonly<Record<Provider, Readonly<Record<Mode, string>>>> = {
  stripe: { sandbox: 'https://api.stripe.com', live: 'https://api.stripe.com' },
  adyen: { sandbox: 'https://checkout-test.adyen.com', live: 'https://{prefix}-checkout-live.adyenpayments.com/checkout' },
  paypal: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  checkout: { sandbox: 'https://{prefix}.api.sandbox.checkout.com', live: 'https://{prefix}.api.checkout.com' },
  mollie: { sandbox: 'https://api.mollie.com', live: 'https://api.mollie.com' },
  paystack: { sandbox: 'https://api.paystack.co', live: 'https://api.paystack.co' },
  flutterwave: { sandbox: 'https://api.flutterwave.com', live: 'https://api.flutterwave.com' },
  razorpay: { sandbox: 'https://api.razorpay.com', live: 'https://api.razorpay.com' },
};

/** Where each provider really is; `host` is another host of its own. Who simulates providers gives addresses of its own through `override`. */
export const pspBaseUrls =
  (mode: Mode, override: (provider: Provider) => string | undefined = () => undefined) =>
  (provider: Provider, host?: string): string =>
    override(provider) ?? (host === undefined ? BASE_URLS[provider][mode] : `https://${host}`);
