import type { Provider } from '#shared/domain/providers.catalog.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { stripe } from '#shared/psp/stripe/stripe.adapter.ts';

/** One line a provider. Each adapter only ever meets credentials that its own `parseCredentials` has passed. */
export const PSPS: Readonly<Partial<Record<Provider, PspAdapter>>> = {
  stripe,
};

export const adapterOf = (provider: Provider): PspAdapter | undefined => PSPS[provider];
