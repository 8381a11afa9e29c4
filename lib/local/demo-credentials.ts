import type { Stage } from '#shared/domain/api-key.model.ts';
import type { Provider } from '#shared/domain/providers.catalog.ts';
import { randomText } from '#shared/kernel/ids.ts';

type MakeUp = (stage: Stage) => Readonly<Record<string, unknown>>;

/** Credentials as each provider's look; its simulator takes any. A new provider is a line here. */
const MAKE_UP: Readonly<Partial<Record<Provider, MakeUp>>> = {
  stripe: (stage) => ({ secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}`, webhook_secret: `whsec_${randomText(32)}` }),
};

/** Made up at random each time; `undefined` for a provider that has no line yet. */
export const madeUpCredentials = (provider: Provider, stage: Stage): Readonly<Record<string, unknown>> | undefined => MAKE_UP[provider]?.(stage);
