import type { OpsDeps } from '#lib/ops/ops-host.ts';
import { build } from '#shared/container/parts.ts';
import { PSP_BUDGET_MS, pspGateway } from '#shared/container/psp-part.ts';
import * as store from '#shared/container/store-parts.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { type Clock, startDeadline } from '#shared/kernel/clock.ts';
import type { MacSecrets, ServiceConfig } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { PspTransport } from '#shared/ports/psp.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import { TRANSACTION_LISTS } from '#shared/psp/transaction-lists.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

export type OpsParts = {
  readonly table: TablePort;
  readonly clock: Clock;
  readonly log: LogPort;
  readonly stage: Stage;
  readonly secrets: MacSecrets;
  readonly vault: VaultPort;
  readonly transport: PspTransport;
  readonly pspRoots?: () => readonly string[];
};

/** Commands make no addresses: nobody is sent anywhere. */
const NO_ADDRESS = 'https://ops.invalid';

/** The service's repositories and its access to providers, without all that sends something to anybody else. */
export function opsDeps({ table, clock, log, stage, secrets, vault, transport, pspRoots }: OpsParts): OpsDeps {
  const config: ServiceConfig = Object.assign(secrets, {
    stage,
    version: 'ops',
    apiUrl: NO_ADDRESS,
    otherStageUrl: NO_ADDRESS,
    pagesUrl: NO_ADDRESS,
    dashboardUrl: undefined,
    origins: [],
    passkeyDomain: 'ops.invalid',
    platformNeedsSecondFactor: true,
  });
  return {
    ...build(store, { table, clock, config, limited: false }),
    clock,
    log,
    config,
    vault,
    psp: pspGateway({ transport, vault, clock, pspRoots, transactionLists: TRANSACTION_LISTS }),
    pspDeadline: startDeadline.bind(undefined, PSP_BUDGET_MS),
  };
}
