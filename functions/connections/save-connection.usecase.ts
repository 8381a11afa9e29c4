import { changeConnection } from '#functions/connections/change-connection.ts';
import { checkedAdapter } from '#functions/connections/checked-adapter.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { sealedOnce } from '#functions/connections/held-credentials.ts';
import { isLive } from '#functions/connections/stored-connection.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import { effectivePlan, refuseBeyond } from '#shared/domain/accounts/plan.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import {
  mergeConnection,
  newConnection,
  recreatedConnection,
  refuseForbidden,
} from '#shared/domain/routing/connection.rules.ts';
import { refuseMisfitOfConnection } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { refuseForeignSteps } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

type Needs = Pick<Deps, 'connections' | 'totals' | 'vault' | 'psp' | 'clock' | 'config' | 'workflows'>;

/**
 * Creates a connection or merges the input into the stored one. The id comes from the caller or the operation, so that
 * a retry after a crash repeats the same merge.
 */
export async function saveConnection(input: SaveConnectionInput, caller: Caller, deps: Needs) {
  const id = input.id ?? operationId(caller.operation, 'connection');
  const held = sealedOnce(input.credentials, { orgId: caller.orgId, id }, deps);

  async function merged(stored: Connection | undefined): Promise<Connection> {
    refuseForbidden(input, stored, deps.config.stage);
    const current = isLive(stored) ? stored : undefined;
    const adapter = checkedAdapter(input, current, deps);
    if (!current) await refuseAnother(caller, deps);
    await refuseTemplate(input.workflow_id, current, caller, deps);
    const base =
      current ?? begin({ id, org_id: caller.orgId, ...born(input, adapter, deps) }, stored, deps.clock.now());
    return mergeConnection(base, input, await held(stored), deps.clock.now());
  }

  const saved = await changeConnection(id, (current) => (current ? 'updated' : 'created'), merged, caller, deps);
  return new Answer(await withCalls(saved, deps), { location: `/v1/connections/${id}` });
}

/**
 * Refuses a template that does not exist, or whose steps need scopes that the caller lacks: a template acts for the
 * caller. A template that was named before stays.
 */
async function refuseTemplate(
  id: string | null | undefined,
  current: Connection | undefined,
  caller: Caller,
  { workflows }: Needs,
): Promise<void> {
  if (typeof id !== 'string' || id === current?.workflow_id) return;
  const template = await workflows.template(caller.orgId, id);
  if (!template) throw invalidFields([{ path: 'workflow_id', message: 'There is no such workflow template.' }]);
  refuseForeignSteps(template.steps, caller);
  refuseMisfitOfConnection(template);
}

/** The plan's limit counts connections that are not deleted. */
async function refuseAnother(caller: Caller, { config, clock }: Needs): Promise<void> {
  if (config.stage !== 'live') return;
  const { organization, connections } = await caller.setup();
  refuseBeyond(effectivePlan(organization, config.stage), 'connections', connections.length, clock.now());
}

const begin = (seed: Parameters<typeof newConnection>[0], gone: Connection | undefined, at: Date) =>
  gone ? recreatedConnection(seed, gone, at) : newConnection(seed, at);

const born = (input: SaveConnectionInput, { provider, capabilities }: PspAdapter, { config }: Needs) => ({
  provider,
  mode: input.mode ?? config.stage,
  capabilities,
});
