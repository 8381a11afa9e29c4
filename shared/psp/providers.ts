import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';
import * as registry from '#shared/psp/registry.ts';

/** Each adapter only gets credentials that its own `parseCredentials` accepted. */
export const PSPS: Readonly<Record<Provider, PspAdapter>> = { ...registry };

export const PROVIDERS: readonly Provider[] = Object.keys(PSPS);

export const adapterOf = (provider: Provider): PspAdapter | undefined =>
  Object.hasOwn(PSPS, provider) ? PSPS[provider] : undefined;

/**
 * Each provider's real base URL. `host`: another host of the provider. A host of simulators passes theirs as
 * `override`.
 */
export const pspBaseUrls =
  (mode: Stage, override: (provider: Provider) => string | undefined = () => undefined) =>
  (provider: Provider, host?: string): string | undefined =>
    override(provider) ?? (host === undefined ? adapterOf(provider)?.baseUrls[mode] : `https://${host}`);
