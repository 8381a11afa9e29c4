import { SIMULATORS } from '#lib/local/simulators/all.ts';
import type { Stage } from '#shared/domain/api-key.model.ts';
import type { Provider } from '#shared/domain/provider.model.ts';

/** Made up at random each time; `undefined` for a provider that has no simulator. */
export const madeUpCredentials = (provider: Provider, stage: Stage): Readonly<Record<string, unknown>> | undefined =>
  SIMULATORS.find((simulator) => simulator.provider === provider)?.madeUpCredentials(stage);
