import { SIMULATORS } from '#lib/simulators/all.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

/** Random each time; `undefined` for a provider without a simulator. */
export const madeUpCredentials = (provider: Provider, stage: Stage): Readonly<Record<string, unknown>> | undefined =>
  SIMULATORS.find((simulator) => simulator.provider === provider)?.madeUpCredentials(stage);
