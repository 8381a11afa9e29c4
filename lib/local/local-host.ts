import { QUEUE_CONSUMERS } from '#functions/queue-table.ts';
import { FUNCTION_URL_GROUP, ROUTES } from '#functions/route-table.ts';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { startBackground } from '#lib/local/background.ts';
import { clockSteps } from '#lib/local/clock-steps.ts';
import { controlRoutes } from '#lib/local/control-routes.ts';
import { controlServer } from '#lib/local/control-server.ts';
import { type DataFolder, openDataFolder } from '#lib/local/data-folder.ts';
import { createDemo } from '#lib/local/demo.ts';
import { diskGate } from '#lib/local/disk-gate.ts';
import { createDrain } from '#lib/local/drain.ts';
import { FaultInjector } from '#lib/local/faults.ts';
import { gateway } from '#lib/local/gateway.ts';
import { type HostInfo, writeInfo } from '#lib/local/host-info.ts';
import { assertSameMasterKey, demoSecretOf } from '#lib/local/host-secrets.ts';
import { openServers } from '#lib/local/host-servers.ts';
import { type CallListener, Invocations } from '#lib/local/invocation.ts';
import { LocalClock } from '#lib/local/local-clock.ts';
import { localService } from '#lib/local/local-service.ts';
import { openStore, type StoreOptions } from '#lib/local/local-store.ts';
import { Mailbox } from '#lib/local/mailbox.ts';
import { createOrganization } from '#lib/local/new-organization.ts';
import { Receivers } from '#lib/local/receivers.ts';
import { STREAM_CONSUMERS } from '#lib/local/relay-loop.ts';
import { Signal } from '#lib/local/signal.ts';
import type { StartSimulators } from '#lib/local/simulators-start.ts';
import { StartError, startError, usingFile } from '#lib/local/start-errors.ts';
import type { HostedSimulators } from '#lib/simulators/simulators.port.ts';
import type { SqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { LocalEnv } from '#shared/local-env.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DueIndex } from '#shared/ports/due.port.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** Port 0 picks any four free ports. */
export type LocalHostOptions = LocalEnv & {
  readonly log: LogPort;
  /** For tests: the demo organization's only connections. */
  readonly demoProviders?: readonly Provider[];
  /** For tests: replaces the system clock that the service clock is based on. */
  readonly realTime?: Clock;
  /** For tests: shorter times than the real ones. */
  readonly pspBudgetMs?: number;
  readonly functionTimeoutMs?: number;
  readonly backOffMs?: number;
  /**
   * For tests: a simulated PSP that never responds closes the connection after this time, and PSP calls of the request
   * time out.
   */
  readonly hangUpAfterMs?: number;
  readonly emulator?: StoreOptions['emulator'];
  /** Wraps the service's table. */
  readonly wrapTable?: (table: TablePort) => TablePort;
  /** The same for the index of due work. */
  readonly wrapDue?: (due: DueIndex) => DueIndex;
};

export type LocalHost<S extends HostedSimulators = HostedSimulators> = {
  readonly info: HostInfo;
  /** The control server's address. */
  readonly controlUrl: string;
  readonly deps: Deps;
  readonly clock: LocalClock;
  readonly invocations: Invocations;
  readonly faults: FaultInjector;
  readonly receivers: Receivers;
  readonly mailbox: Mailbox;
  readonly simulators: S;
  readonly queue: SqliteQueue;
  readonly drain: () => Promise<void>;
  readonly moveClock: (targetOf: (now: Date) => Date) => Promise<void>;
  /** Reports every outgoing call of an invocation. Returns the function to unsubscribe. */
  readonly onCall: (listener: CallListener) => () => void;
  readonly close: () => Promise<void>;
};

/**
 * They begin again at a checkpoint or a message in the same file, and do nothing outside that may not be done twice. A
 * power loss takes back what they did last together with that checkpoint or message: they need not wait for the disk.
 */
const REPEATED_FUNCTIONS: ReadonlySet<string> = new Set([
  ...STREAM_CONSUMERS,
  ...(['webhook-delivery', 'slow-deliveries'] satisfies readonly QueueName[]),
]);

/** How long running work may take when the host ends. */
const SHUTDOWN_GRACE_MS = 3_000;

/** The whole service in one process. It may be killed at any moment: all state is in its file. */
export async function startLocalHost<S extends HostedSimulators>(
  options: LocalHostOptions,
  startSimulators: StartSimulators<S>,
): Promise<LocalHost<S>> {
  await using started = new AsyncDisposableStack();
  assertKnownProviders(options.pspUrls);
  const folder = openDataFolder(options);
  started.defer(folder.release);
  try {
    return await openHost(options, startSimulators, folder, started);
  } catch (error) {
    throw startError(folder.database, error);
  }
}

/** The address of a misspelled provider would be ignored, and its calls would go to the simulator. */
function assertKnownProviders(pspUrls: LocalHostOptions['pspUrls']): void {
  const unknown = Object.keys(pspUrls).find((name) => !PROVIDERS.some((provider) => provider === name));
  if (unknown === undefined) return;
  const names = PROVIDERS.map((provider) => `PSP_URL_${provider.toUpperCase()}`);
  throw new StartError(`PSP_URL_${unknown.toUpperCase()} names no provider. There are ${names.join(', ')}.`);
}

/** Opens everything, and closes it in reverse order if a step fails. */
async function openHost<S extends HostedSimulators>(
  options: LocalHostOptions,
  startSimulators: StartSimulators<S>,
  folder: DataFolder,
  started: AsyncDisposableStack,
): Promise<LocalHost<S>> {
  const database = openDatabase(folder.database);
  started.defer(() => database.close());
  assertSameMasterKey(database, folder);
  const clock = new LocalClock(database, options.realTime);
  const { api, functionUrl, control, simulators } = await openServers(
    options.port,
    folder,
    clock,
    started,
    startSimulators,
    { hangUpAfterMs: options.hangUpAfterMs, webhookBackOffMs: options.backOffMs },
  );
  const { store, emulator } = options;
  const faults = new FaultInjector();
  const invocations = new Invocations((call) => faults.faultFor(call));
  const isDurable = () => !REPEATED_FUNCTIONS.has(invocations.group ?? '');
  const {
    table: baseTable,
    feed,
    due,
  } = await openStore({ store, folder, database, emulator, consumers: STREAM_CONSUMERS, isDurable }, started);
  const table = options.wrapTable?.(baseTable) ?? baseTable;

  const mailbox = new Mailbox(clock);
  const service = localService({
    ...options,
    folder,
    database,
    table,
    dueIndex: options.wrapDue?.(due) ?? due,
    clock,
    mailbox,
    simulators,
    invocations,
    apiUrl: api.address,
    functionUrl: functionUrl.address,
    controlUrl: control.address,
  });
  const { deps, queue } = service;
  const demo = await createDemo(deps, demoSecretOf(folder.masterKey), options.demoProviders);
  const info: HostInfo = { api: api.address, function_url: functionUrl.address, simulators: simulators.base, ...demo };
  const { info: infoFile } = folder;
  if (infoFile) usingFile(infoFile, () => writeInfo(infoFile, info));

  const progress = new Signal();
  const background = startBackground({
    deps,
    feed,
    queue,
    clock,
    invocations,
    progress,
    queued: service.queued,
    backOffMs: options.backOffMs,
  });
  started.defer(() => background.close());
  const drain = createDrain({ followers: background.followers, queue, clock, simulators, progress });
  const moveClock = clockSteps({ clock, due, queue, schedules: background.schedules, drain });
  const controls = { clock, moveClock, drain, simulators, faults, mailbox, receivers: new Receivers(clock) };
  const groups = [
    ...Object.keys(ROUTES),
    ...Object.keys(QUEUE_CONSUMERS),
    ...SCHEDULES.map(({ name }) => name),
    ...STREAM_CONSUMERS,
  ];
  const routes = controlRoutes({
    ...controls,
    groups,
    info: () => info,
    controlUrl: control.address,
    makeOrganization: (input) => createOrganization(input, deps),
  });

  const disk = diskGate(database, folder.database, options.log);
  const gatewayOptions = { deps, invocations, functionTimeoutMs: options.functionTimeoutMs, disk };
  control.serve(controlServer({ routes, receivers: controls.receivers, log: options.log, api: api.address }));
  functionUrl.serve(
    gateway({
      ...gatewayOptions,
      entrance: 'function-url',
      routes: { [FUNCTION_URL_GROUP]: ROUTES[FUNCTION_URL_GROUP] },
    }),
  );
  api.serve(gateway({ ...gatewayOptions, entrance: 'api', routes: ROUTES }));

  const resources = started.move();
  let closed: Promise<void> | undefined;
  const close = async () => {
    const timer = setTimeout(() => invocations.crashAll(), SHUTDOWN_GRACE_MS);
    await Promise.all([api, functionUrl, control].map((server) => server.close()));
    await resources.disposeAsync();
    clearTimeout(timer);
  };
  return {
    ...controls,
    info,
    controlUrl: control.address,
    deps,
    invocations,
    queue,
    onCall: (listener) => invocations.onCall(listener),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
