import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { PspAdapter, PspProvider } from '#shared/ports/psp.port.ts';
import * as registry from '#shared/psp/registry.ts';

export const PSPS: Readonly<Record<Provider, PspProvider>> = { ...registry };

export const PROVIDERS: readonly Provider[] = Object.keys(PSPS);

export const providerOf = (provider: Provider): PspProvider | undefined =>
  Object.hasOwn(PSPS, provider) ? PSPS[provider] : undefined;

/** Each adapter only gets credentials that its own `parseCredentials` accepted. */
export const loadAdapters = (): Promise<readonly PspAdapter[]> =>
  Promise.all(Object.values(PSPS).map((psp) => psp.load()));

/**
 * Each provider's real base URL. `host`: another host of the provider. A host of simulators passes theirs as
 * `override`.
 */
export const pspBaseUrls =
  (mode: Stage, override: (provider: Provider) => string | undefined = () => undefined) =>
  (provider: Provider, host?: string): string | undefined =>
    override(provider) ?? (host === undefined ? providerOf(provider)?.baseUrls[mode] : `https://${host}`);
