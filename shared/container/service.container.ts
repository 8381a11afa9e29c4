import { ownApi } from '#shared/adapters/net/own-api.adapter.ts';
import { build } from '#shared/container/parts.ts';
import { PSP_BUDGET_MS, pspGateway } from '#shared/container/psp-part.ts';
import * as store from '#shared/container/store-parts.ts';
import { type Clock, startDeadline } from '#shared/kernel/clock.ts';
import type { BusPort } from '#shared/ports/bus.port.ts';
import type { DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { MailPort } from '#shared/ports/mail.port.ts';
import type { PspTransport } from '#shared/ports/psp.port.ts';
import type { QueuePort } from '#shared/ports/queue.port.ts';
import type { ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import type { WebhookHttpPort } from '#shared/ports/webhook-http.port.ts';
import { TRANSACTION_LISTS } from '#shared/psp/transaction-lists.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

type ServiceAdapters = {
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly vault: VaultPort;
  readonly transport: PspTransport;
  /** Certificates (PEM) of additional authorities for providers, beside the public ones. */
  readonly pspRoots?: () => readonly string[];
  readonly webhookHttp: WebhookHttpPort;
  readonly mail: MailPort;
  readonly dashboardFiles: DashboardFilesPort;
  readonly referenceFiles: ReferenceFilesPort;
  readonly clock: Clock;
  readonly log: LogPort;
  readonly config: ServiceConfig;
  /** False lifts all rate limits; requests are still counted and shown. */
  readonly limited: boolean;
  /** Time budget for all PSP calls of one request; shortened in tests. */
  readonly pspBudgetMs?: number;
};

/** The dependencies of every use case, over the adapters of a host that serves everything. */
export function serviceContainer({ transport, pspRoots, pspBudgetMs, ...adapters }: ServiceAdapters): Deps {
  const { queue, bus, vault, webhookHttp, mail, dashboardFiles, referenceFiles, clock, log, config } = adapters;
  return {
    ...build(store, adapters),
    clock,
    log,
    config,
    vault,
    psp: pspGateway({ transport, vault, clock, pspRoots, transactionLists: TRANSACTION_LISTS }),
    queue,
    bus,
    webhookHttp,
    ownApi: ownApi(config.apiUrl),
    mail,
    dashboardFiles,
    referenceFiles,
    pspDeadline: startDeadline.bind(undefined, pspBudgetMs ?? PSP_BUDGET_MS),
  };
}
