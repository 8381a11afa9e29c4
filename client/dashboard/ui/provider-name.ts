const OWN_WRITING: Readonly<Record<string, string>> = { checkout: 'Checkout.com', paypal: 'PayPal' };

/** A provider as it writes its own name. */
export const providerName = (provider: string): string =>
  OWN_WRITING[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);
