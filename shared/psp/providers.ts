import type { Provider } from '#shared/domain/provider.model.ts';
import type { PspAdapter, PspMode } from '#shared/ports/psp.port.ts';
import * as registry from '#shared/psp/registry.ts';

/** Each adapter only ever meets credentials that its own `parseCredentials` has passed. */
export const PSPS: Readonly<Record<Provider, PspAdapter>> = { ...registry };

export const PROVIDERS: readonly Provider[] = Object.keys(PSPS);

export const adapterOf = (provider: Provider): PspAdapter | undefined => (Object.hasOwn(PSPS, provider) ? PSPS[provider] : undefined);

/** Where each provider really is; `host` is another host of its own. Who simulates providers gives addresses of its own through `override`. */
export const pspBaseUrls =
  (mode: PspMode, override: (provider: Provider) => string | undefined = () => undefined) =>
  (provider: Provider, host?: string): string | undefined =>
    override(provider) ?? (host === undefined ? adapterOf(provider)?.baseUrls[mode] : `https://${host}`);
