import { credentialsSealer, validProvider } from '#functions/connections/connection-credentials.ts';
import { changeConnection, isLive, withCallTotals } from '#functions/connections/connection-store.ts';
import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import { assertWithinLimit, effectivePlan } from '#shared/domain/accounts/plan.rules.ts';
import { CONNECTION_EVENTS } from '#shared/domain/reference/events.catalog.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import {
  assertChangeAllowed,
  mergeConnection,
  newConnection,
  recreatedConnection,
} from '#shared/domain/routing/connection.rules.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { assertFitsConnection } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { assertReadScopes, assertStepScopes } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'storedTotals' | 'vault' | 'psp' | 'clock' | 'config' | 'workflows'>;

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
    const { provider, capabilities } = await validProvider(input, current, deps);
    await assertTemplateAllowed(input.workflow_id, current, caller, deps);
    const seed = {
      id,
      org_id: caller.orgId,
      provider,
      mode: input.mode ?? deps.config.stage,
      capabilities,
    };
    return mergeConnection(
      current ?? createConnection(seed, stored, deps.clock.now()),
      input,
      await sealCredentials(stored),
      deps.clock.now(),
    );
  }

  const saved = await changeConnection(id, (current) => (current ? 'updated' : 'created'), merge, caller, {
    ...deps,
    assertAllowed: (setup) => assertWithinPlan(id, setup, deps),
  });
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

/** Deleted connections do not count towards the limits of a plan. */
function assertWithinPlan(id: string, { organization, connections }: RoutingSetup, { config, clock }: Needs): void {
  if (connections.some((each) => each.id === id)) return;
  assertWithinLimit(effectivePlan(organization, config.stage), 'connections', connections.length, clock.now());
}

const createConnection = (seed: Parameters<typeof newConnection>[0], deleted: Connection | undefined, at: Date) =>
  deleted ? recreatedConnection(seed, deleted, at) : newConnection(seed, at);
