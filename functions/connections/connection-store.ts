import { addressQuery } from '#shared/domain/routing/callback-address.rules.ts';
import { withCaptureCapabilities } from '#shared/domain/routing/candidates.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { auditOf, type ConnectionAction } from '#shared/domain/routing/connection-audit.rules.ts';
import { callsView } from '#shared/domain/routing/health.rules.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const isConnectionId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id);

export const isLive = (connection: Connection | undefined): connection is Connection =>
  connection !== undefined && connection.deleted_at === undefined;

/** Throws a 404 if it does not exist or is deleted. */
export const assertLive = (connection: Connection | undefined): Connection =>
  orNotFound(isLive(connection) ? connection : undefined, 'There is no such connection.');

export async function loadConnection(
  { id }: { readonly id: string },
  caller: Caller,
  { connections }: Pick<Deps, 'connections'>,
): Promise<Connection> {
  return assertLive(isConnectionId(id) ? await connections.get(caller.orgId, id) : undefined);
}

type CallbackConfig = Pick<Deps['config'], 'apiUrl' | 'callbackUrl' | 'registeredCallbackUrl'>;

/**
 * Where the provider sends its callbacks. The query says whose they are, so that a verified event about a charge that is
 * not ours can be accepted. The base is a setting of the stage, so it can move. All earlier addresses are
 * still served: each is one more way to the same function.
 */
export const callbackUrlOf = (
  { provider, id, org_id }: Pick<Connection, 'provider' | 'id' | 'org_id'>,
  { apiUrl, callbackUrl = apiUrl, registeredCallbackUrl = callbackUrl }: CallbackConfig,
) => ({ callback_url: `${registeredCallbackUrl}/webhooks/${provider}?${addressQuery({ id, org_id })}` });

type ShownDeps = Pick<Deps, 'psp'> & { readonly config: CallbackConfig };

/** The connection with what follows from its provider. */
export const shownConnection = (connection: Connection, { psp, config }: ShownDeps) => ({
  ...connection,
  ...callbackUrlOf(connection, config),
  capabilities: withCaptureCapabilities(connection.capabilities, psp.adapter(connection.provider)?.manualCapture),
});

type ViewDeps = Pick<Deps, 'storedTotals' | 'clock'> & ShownDeps;

/** The connection as the API shows it, with its call totals and health, which are stored apart. */
export async function withCallTotals(connection: Connection, { storedTotals, clock, ...deps }: ViewDeps) {
  const calls = callsView(await storedTotals.callTotals(connection), clock.now());
  return { ...shownConnection(connection, deps), ...calls };
}

type Needs = Pick<Deps, 'connections' | 'clock'> & {
  /** Whether the setup allows the change; throws if not. */
  readonly assertAllowed?: (before: RoutingSetup) => void;
};

/**
 * Saves what `decide` makes of the stored connection, with its audit entry. After a concurrent write it decides again.
 * Without a change nothing is saved.
 */
export function changeConnection(
  id: string,
  action: ConnectionAction | ((current: Connection | undefined) => ConnectionAction),
  decide: (current: Connection | undefined) => Connection | Promise<Connection>,
  caller: Caller,
  deps: Needs,
): Promise<Connection> {
  return retryOnConflict(async () => {
    const current = isConnectionId(id) ? await deps.connections.get(caller.orgId, id) : undefined;
    const next = await decide(current);
    const actionName = typeof action === 'string' ? action : action(isLive(current) ? current : undefined);
    const audit = auditOf(current, next, actionName, caller, deps.clock.now());
    if (!audit && current) return current;
    const template = newTemplate(current, next);
    return (await deps.connections.save(next, audit, template, deps.assertAllowed)) ? next : undefined;
  }, `Connection ${id} is being changed by other requests. Try again.`);
}

/** The workflow template that this change adds, if any: it must exist when the connection is saved. */
function newTemplate(current: Connection | undefined, { workflow_id, deleted_at }: Connection): string | undefined {
  const before = isLive(current) ? current.workflow_id : null;
  return workflow_id === null || workflow_id === before || deleted_at !== undefined ? undefined : workflow_id;
}
