import { credentialsSealer, validAdapter } from '#functions/connections/connection-credentials.ts';
import { changeConnection, isLive, withCallTotals } from '#functions/connections/connection-store.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { assertWithinLimit, effectivePlan } from '#shared/domain/accounts/plan.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import {
  assertChangeAllowed,
  mergeConnection,
  newConnection,
  recreatedConnection,
} from '#shared/domain/routing/connection.rules.ts';
import { assertSetupFits, assertSetupRoom } from '#shared/domain/routing/setup-limits.rules.ts';
import { CONNECTION_EVENTS } from '#shared/domain/workflows/execution.rules.ts';
import { assertFitsConnection } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { assertReadScopes, assertStepScopes } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'totals' | 'vault' | 'psp' | 'clock' | 'config' | 'workflows'>;

/**
 * Creates a connection, or merges the input into the stored one. The id comes from the input or the operation, so that
 * a retry after a crash repeats the same merge.
 */
export async function saveConnection(input: SaveConnectionInput, caller: Caller, deps: Needs) {
  const id = input.id ?? operationId(caller.operation, 'connection');
  const sealCredentials = credentialsSealer(input.credentials, { orgId: caller.orgId, id }, deps);

  async function merge(stored: Connection | undefined): Promise<Connection> {
    assertChangeAllowed(input, stored, deps.config.stage);
    const current = isLive(stored) ? stored : undefined;
    const adapter = validAdapter(input, current, deps);
    if (!current) await assertConnectionsLeft(stored === undefined, caller, deps);
    await assertTemplateAllowed(input.workflow_id, current, caller, deps);
    const seed = {
      id,
      org_id: caller.orgId,
      provider: adapter.provider,
      mode: input.mode ?? deps.config.stage,
      capabilities: adapter.capabilities,
    };
    const merged = mergeConnection(
      current ?? createConnection(seed, stored, deps.clock.now()),
      input,
      await sealCredentials(stored),
      deps.clock.now(),
    );
    assertSetupFits(await caller.routingData(), merged);
    return merged;
  }

  const saved = await changeConnection(id, (current) => (current ? 'updated' : 'created'), merge, caller, deps);
  return withCallTotals(saved, deps);
}

/**
 * A newly named template must exist, and its steps may only need scopes that the caller has, because it acts for the
 * caller.
 */
async function assertTemplateAllowed(
  id: string | null | undefined,
  current: Connection | undefined,
  caller: Caller,
  { workflows }: Needs,
): Promise<void> {
  if (typeof id !== 'string' || id === current?.workflow_id) return;
  const template = await workflows.template(caller.orgId, id);
  if (!template) throw invalidFields([{ path: 'workflow_id', message: 'There is no such workflow template.' }]);
  assertStepScopes(template.steps, caller);
  assertReadScopes(CONNECTION_EVENTS, template.steps, caller);
  assertFitsConnection(template);
}

/** Deleted connections do not count towards the limits. */
async function assertConnectionsLeft(hasNewId: boolean, caller: Caller, { config, clock }: Needs): Promise<void> {
  const setup = await caller.routingData();
  const plan = effectivePlan(setup.organization, config.stage);
  assertWithinLimit(plan, 'connections', setup.connections.length, clock.now());
  assertSetupRoom(setup, 'connections');
  if (hasNewId) assertSetupRoom(setup, 'deletedConnections');
}

const createConnection = (seed: Parameters<typeof newConnection>[0], deleted: Connection | undefined, at: Date) =>
  deleted ? recreatedConnection(seed, deleted, at) : newConnection(seed, at);
