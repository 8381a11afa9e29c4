import { EVENT_QUEUES, SKIPPED_BY } from '#functions/event-table.ts';
import { localDashboard } from '#lib/local/dashboard.ts';
import type { DataFolder } from '#lib/local/data-folder.ts';
import { guardedServices } from '#lib/local/guarded-services.ts';
import { guardedTable } from '#lib/local/guarded-table.ts';
import { macSecretsOf } from '#lib/local/host-secrets.ts';
import { type Invocations, intercepted } from '#lib/local/invocation.ts';
import type { LocalClock } from '#lib/local/local-clock.ts';
import type { Mailbox } from '#lib/local/mailbox.ts';
import { localReference } from '#lib/local/reference.ts';
import { signalsOf } from '#lib/local/signal.ts';
import { endAtSilence, withRefusedConnections, withSimulatorAccounts } from '#lib/local/simulated-psps.ts';
import type { HostedSimulators } from '#lib/simulators/simulators.port.ts';
import packageFile from '#package.json' with { type: 'json' };
import { inProcessBus } from '#shared/adapters/local/in-process-bus.adapter.ts';
import { masterKeyWrapper } from '#shared/adapters/local/master-key.adapter.ts';
import { makeSqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { serviceContainer } from '#shared/container/service.container.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { HashVersions } from '#shared/kernel/hash-versions.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DueIndex, DuePort } from '#shared/ports/due.port.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

type ServiceOptions = {
  readonly folder: DataFolder;
  readonly database: SqliteDatabase;
  readonly table: TablePort;
  readonly dueIndex: DueIndex;
  readonly clock: LocalClock;
  readonly mailbox: Mailbox;
  readonly simulators: HostedSimulators;
  readonly invocations: Invocations;
  readonly log: LogPort;
  readonly stage: Stage;
  readonly apiUrl: string;
  readonly functionUrl: string;
  readonly controlUrl: string;
  readonly callbackUrl?: string | undefined;
  readonly hashVersions?: HashVersions | undefined;
  readonly rateLimits: boolean;
  readonly pspUrls: Readonly<Partial<Record<Provider, string>>>;
  readonly pspBudgetMs?: number;
  readonly hangUpAfterMs?: number;
};

/**
 * Providers refuse callbacks to this machine: nobody can reach it from outside. So charges name an address in the form of
 * a public one. The simulators send their callbacks to this host whatever the name is.
 */
const CALLBACK_URL = 'https://this-machine.example';

/**
 * The service over this host's adapters. A function's calls go through its invocation, where faults are injected; the
 * host's own work (the loops, the bus's sending, the simulators' set-up) uses the bare adapters.
 */
export function localService(options: ServiceOptions) {
  const { folder, database, clock, simulators, invocations, log, stage, pspUrls } = options;
  const queued = signalsOf(QUEUES);
  const queue = makeSqliteQueue(database, { clock, onChange: (name) => queued[name].raise() });
  const vault = makeVault(masterKeyWrapper(folder.masterKey));
  const transport = makePspTransport({ baseUrls: (provider) => pspUrls[provider] ?? `${simulators.base}/${provider}` });
  const silence = endAtSilence();
  const guard = { group: () => invocations.group, log };
  const bus = inProcessBus(queue, EVENT_QUEUES, SKIPPED_BY);
  const services = guardedServices({ queue: { send: queue.send }, bus, vault, mail: options.mailbox }, guard);
  const deps = serviceContainer({
    table: intercepted(invocations, 'table', guardedTable(options.table, guard)),
    queue: intercepted(invocations, 'queue', services.queue),
    bus: intercepted(invocations, 'bus', services.bus),
    vault: intercepted(invocations, 'vault', services.vault),
    transport: intercepted(invocations, 'psp', silence.transport(withRefusedConnections(transport, simulators))),
    pspRoots: () => simulators.rootCertificates,
    webhookHttp: intercepted(invocations, 'receiver', makeWebhookHttp({ clock, allowLoopbackHttp: true })),
    mail: intercepted(invocations, 'mail', services.mail),
    dashboardFiles: localDashboard(options.controlUrl),
    referenceFiles: localReference(options),
    clock,
    log,
    config: {
      stage,
      version: packageFile.version,
      apiUrl: options.apiUrl,
      callbackUrl: options.callbackUrl ?? CALLBACK_URL,
      registeredCallbackUrl: options.callbackUrl ?? options.functionUrl,
      otherStageUrl: `a host of the other stage (STAGE=${stage === 'live' ? 'sandbox' : 'live'})`,
      ...macSecretsOf(folder.masterKey, options.hashVersions),
      // Browsers treat plain HTTP as secure, and make passkeys, under this name only.
      pagesUrl: options.apiUrl.replace('127.0.0.1', 'localhost'),
      dashboardUrl: undefined,
      origins: ['http://127.0.0.1:*', 'http://localhost:*'],
      passkeyDomain: 'localhost',
      platformNeedsSecondFactor: false,
    },
    limited: options.rateLimits,
    pspBudgetMs: options.pspBudgetMs,
  });
  const pspDeadline =
    options.hangUpAfterMs === undefined ? deps.pspDeadline : () => silence.deadline(deps.pspDeadline());
  const taught: Deps = {
    ...deps,
    pspDeadline,
    due: sweptWhereDue(deps.due, options.dueIndex),
    connections: withSimulatorAccounts(deps.connections, vault, simulators),
  };
  return { deps: taught, queue, queued };
}

/** A sweep of one machine's data asks once which shards have anything due, in place of reading each of them. */
const sweptWhereDue = (due: DuePort, index: DueIndex): DuePort => ({
  shards: due.shards,
  shardsDue: (until) => index.shards(until),
  due: (...page) => due.due(...page),
  earliest: () => due.earliest(),
});
