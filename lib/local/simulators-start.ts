import { simulatorProtection } from '#lib/local/host-secrets.ts';
import type { LocalClock } from '#lib/local/local-clock.ts';
import type { HostedSimulators, Simulators, SimulatorsOptions } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { Secret } from '#shared/kernel/secret.ts';

/** What simulators need from their host, wherever they run. */
export type SimulatorsInput<C extends Clock = LocalClock> = Omit<
  SimulatorsOptions,
  'clock' | 'protect' | 'webhookBase'
> & {
  readonly clock: C;
  readonly masterKey: Secret<Buffer>;
  readonly webhookBase: string;
};

export type StartSimulators<S extends HostedSimulators> = (input: SimulatorsInput) => Promise<S>;

/** Simulators in this thread. */
export const simulatorsHere = ({ masterKey, webhookBase, ...input }: SimulatorsInput<Clock>): Promise<Simulators> =>
  startSimulators({ ...input, protect: simulatorProtection(masterKey), webhookBase: () => webhookBase });
