import { isConnectionId, isLive } from '#functions/connections/stored-connection.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { auditOf, type ConnectionAct } from '#shared/domain/routing/connection-audit.rules.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'clock'>;

/**
 * Decides on the stored connection and saves the result with its audit entry; a lost race decides again on the newer
 * state. No change leaves no entry.
 */
export function changeConnection(
  id: string,
  action: ConnectionAct | ((current: Connection | undefined) => ConnectionAct),
  decide: (current: Connection | undefined) => Connection | Promise<Connection>,
  caller: Caller,
  deps: Needs,
): Promise<Connection> {
  return inRounds(async () => {
    const current = isConnectionId(id) ? await deps.connections.get(caller.orgId, id) : undefined;
    const next = await decide(current);
    const act = typeof action === 'string' ? action : action(isLive(current) ? current : undefined);
    const audit = auditOf(current, next, act, caller, deps.clock.now());
    if (!audit && current) return current;
    return (await deps.connections.save(next, audit, newTemplate(current, next))) ? next : undefined;
  }, `Others are changing ${id} right now. Please try again.`);
}

/** The workflow template that this change newly names, if any. */
function newTemplate(current: Connection | undefined, { workflow_id, deleted_at }: Connection): string | undefined {
  const held = isLive(current) ? current.workflow_id : null;
  return workflow_id === null || workflow_id === held || deleted_at !== undefined ? undefined : workflow_id;
}
