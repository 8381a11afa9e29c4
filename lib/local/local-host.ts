import { QUEUE_CONSUMERS } from '#functions/queue-table.ts';
import { FUNCTION_URL_GROUP, ROUTES } from '#functions/route-table.ts';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { startBackground } from '#lib/local/background.ts';
import { clockSteps } from '#lib/local/clock-steps.ts';
import { controlRoutes } from '#lib/local/control-routes.ts';
import { controlServer } from '#lib/local/control-server.ts';
import { openDataFolder } from '#lib/local/data-folder.ts';
import { makeDemo } from '#lib/local/demo.ts';
import { makeDrain } from '#lib/local/drain.ts';
import type { FaultBook } from '#lib/local/faults.ts';
import { gateway } from '#lib/local/gateway.ts';
import { type HostInfo, writeInfo } from '#lib/local/host-info.ts';
import { openServers } from '#lib/local/host-servers.ts';
import type { Call, Invocations } from '#lib/local/invocation.ts';
import { LocalClock } from '#lib/local/local-clock.ts';
import { localService } from '#lib/local/local-service.ts';
import { Mailbox } from '#lib/local/mailbox.ts';
import { makeOrganization } from '#lib/local/new-organization.ts';
import { Receivers } from '#lib/local/receivers.ts';
import { RELAY } from '#lib/local/relay-loop.ts';
import { Signal } from '#lib/local/signal.ts';
import type { Simulators } from '#lib/local/simulators/simulator.port.ts';
import type { LocalEnv } from '#shared/env.ts';
import type { SqliteQueue } from '#shared/local/sqlite-queue.adapter.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { openDatabase } from '#shared/store/sqlite-commit.ts';

/** Port 0 takes any four that are free. */
export type LocalHostOptions = LocalEnv & {
  readonly log: LogPort;
  /** For tests: shorter than the real ones. */
  readonly pspBudgetMs?: number;
  readonly functionTimeoutMs?: number;
};

export type LocalHost = {
  readonly info: HostInfo;
  /** Of the control server. */
  readonly controlUrl: string;
  readonly deps: Deps;
  readonly clock: LocalClock;
  readonly invocations: Invocations;
  readonly faults: FaultBook;
  readonly receivers: Receivers;
  readonly mailbox: Mailbox;
  readonly simulators: Simulators;
  readonly queue: SqliteQueue;
  readonly drain: () => Promise<void>;
  readonly moveClock: (target: Date) => Promise<void>;
  /** Tells of every outgoing call that an invocation makes; answers how to stop that. */
  readonly onCall: (listener: (call: Call) => void) => () => void;
  readonly close: () => Promise<void>;
};

/** What still runs when the host ends has so long. */
const LAST_ORDERS_MS = 3_000;

/** The whole service in this process. It may be killed at any moment: all that counts is in its file. */
export async function startLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  await using started = new AsyncDisposableStack();
  const { log } = options;
  const folder = openDataFolder(options.dataDir, options.stage);
  started.defer(folder.release);
  const database = openDatabase(folder.database);
  started.defer(() => database.close());
  const clock = new LocalClock(database);
  const { api, functionUrl, control, simulators } = await openServers(options.port, folder, clock, started);

  const service = localService({ ...options, folder, database, clock, simulators, apiUrl: api.address });
  const { deps, queue, feed, invocations, faults } = service;
  const demo = await makeDemo(deps);
  const info: HostInfo = { api: api.address, function_url: functionUrl.address, simulators: simulators.base, ...demo };
  if (folder.info) writeInfo(folder.info, info);

  const progress = new Signal();
  const background = startBackground({ deps, feed, queue, clock, invocations, progress, queued: service.queued });
  started.defer(() => background.close());
  const drain = makeDrain({ relay: background.relay, queue, clock, simulators, progress });
  const moveClock = clockSteps({ clock, due: deps.due, queue, schedules: background.schedules, drain });
  const mailbox = new Mailbox();
  const receivers = new Receivers(clock);
  const groups = [...Object.keys(ROUTES), ...Object.keys(QUEUE_CONSUMERS), ...SCHEDULES.map(({ name }) => name), RELAY];
  const controls = {
    info: () => info,
    makeOrganization: (wish: Parameters<typeof makeOrganization>[0]) => makeOrganization(wish, deps),
    clock,
    moveClock,
    drain,
    mailbox,
    receivers,
    simulators,
    faults,
    groups,
  };

  const entrance = { deps, invocations, functionTimeoutMs: options.functionTimeoutMs };
  control.serve(controlServer({ routes: controlRoutes(controls), receivers, log }));
  functionUrl.serve(gateway({ ...entrance, entrance: 'function-url', routes: { [FUNCTION_URL_GROUP]: ROUTES[FUNCTION_URL_GROUP] } }));
  api.serve(gateway({ ...entrance, entrance: 'api', routes: ROUTES }));

  const everything = started.move();
  let closed: Promise<void> | undefined;
  const close = async () => {
    const cut = setTimeout(() => invocations.crashAll(), LAST_ORDERS_MS);
    await Promise.all([api, functionUrl, control].map((server) => server.close()));
    await everything.disposeAsync();
    clearTimeout(cut);
  };
  return {
    info,
    controlUrl: control.address,
    deps,
    clock,
    invocations,
    faults,
    receivers,
    mailbox,
    simulators,
    queue,
    drain,
    moveClock,
    onCall: (listener) => invocations.onCall(listener),
    close: () => (closed ??= close()),
  };
}
