import type { DataFolder } from '#lib/local/data-folder.ts';
import { type LocalServer, listen, portError } from '#lib/local/http-server.ts';
import type { LocalClock } from '#lib/local/local-clock.ts';
import type { StartSimulators } from '#lib/local/simulators-start.ts';
import { startError } from '#lib/local/start-errors.ts';
import type { HostedSimulators, SimulatorsOptions } from '#lib/simulators/simulators.port.ts';
import { loadAdapters } from '#shared/psp/providers.ts';

type HostServers<S> = {
  readonly api: LocalServer;
  readonly functionUrl: LocalServer;
  readonly control: LocalServer;
  readonly simulators: S;
};

const ADAPTERS = await loadAdapters();

/** As `docs/providers.md` tells merchants to register them. */
const REGISTERED_EVENTS: SimulatorsOptions['registeredEvents'] = Object.fromEntries(
  ADAPTERS.flatMap(({ provider, registeredEvents }) => (registeredEvents ? [[provider, registeredEvents]] : [])),
);

/** Four consecutive ports from this one, or any four for 0. Servers in `opened` are closed if a later port is taken. */
export async function openServers<S extends HostedSimulators>(
  port: number,
  folder: DataFolder,
  clock: LocalClock,
  opened: AsyncDisposableStack,
  startSimulators: StartSimulators<S>,
  pace: Pick<SimulatorsOptions, 'hangUpAfterMs' | 'webhookBackOffMs'>,
): Promise<HostServers<S>> {
  const portOf = (n: number) => (port === 0 ? 0 : port + n);
  const open = async (n: number, what: string): Promise<LocalServer> => {
    const server = await listen(portOf(n), what);
    opened.defer(() => server.close());
    return server;
  };
  const api = await open(0, 'the API');
  const functionUrl = await open(1, 'the function URL');
  const control = await open(2, 'the control server');
  const simulators = await startSimulators({
    port: portOf(3),
    database: folder.simulators,
    clock,
    webhookBase: functionUrl.address,
    masterKey: folder.masterKey,
    registeredEvents: REGISTERED_EVENTS,
    ...pace,
  }).catch((error: unknown) => {
    throw startError(folder.simulators, portError(error, portOf(3), 'the simulators'));
  });
  opened.defer(async () => simulators.close());
  return { api, functionUrl, control, simulators };
}
