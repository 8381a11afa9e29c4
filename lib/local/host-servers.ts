import type { DataFolder } from '#lib/local/data-folder.ts';
import { simulatorProtection } from '#lib/local/host-secrets.ts';
import { type LocalServer, listen, portError } from '#lib/local/http-server.ts';
import { startError } from '#lib/local/start-errors.ts';
import type { Simulators, SimulatorsOptions } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import type { Clock } from '#shared/kernel/clock.ts';

type HostServers = {
  readonly api: LocalServer;
  readonly functionUrl: LocalServer;
  readonly control: LocalServer;
  readonly simulators: Simulators;
};

/** Four consecutive ports from this one, or any four for 0. Servers in `opened` are closed if a later port is taken. */
export async function openServers(
  port: number,
  folder: DataFolder,
  clock: Clock,
  opened: AsyncDisposableStack,
  pace: Pick<SimulatorsOptions, 'hangUpAfterMs' | 'webhookBackOffMs'>,
): Promise<HostServers> {
  const portOf = (n: number) => (port === 0 ? 0 : port + n);
  const open = async (n: number, what: string): Promise<LocalServer> => {
    const server = await listen(portOf(n), what);
    opened.defer(() => server.close());
    return server;
  };
  const api = await open(0, 'the API');
  const functionUrl = await open(1, 'the function URL');
  const control = await open(2, 'the control server');
  const protect = simulatorProtection(folder.masterKey);
  const simulators = await startSimulators({
    port: portOf(3),
    database: folder.simulators,
    clock,
    webhookBase: () => functionUrl.address,
    protect,
    ...pace,
  }).catch((error: unknown) => {
    throw startError(folder.simulators, portError(error, portOf(3), 'the simulators'));
  });
  opened.defer(() => simulators.close());
  return { api, functionUrl, control, simulators };
}
