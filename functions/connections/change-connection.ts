import { isConnectionId, isLive } from '#functions/connections/stored-connection.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { auditOf, type ConnectionAct } from '#shared/domain/connection-audit.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'clock'>;

/** How often a lost race is run again; each round somebody else's change was saved. */
const ROUNDS = 10;

/**
 * Decides on the stored connection and saves what comes of it, with the entry that says who did what; again on what won a
 * race. What changes nothing leaves no entry.
 */
export async function changeConnection(
  id: string,
  action: ConnectionAct | ((current: Connection | undefined) => ConnectionAct),
  decide: (current: Connection | undefined) => Connection | Promise<Connection>,
  caller: Caller,
  deps: Needs,
): Promise<Connection> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = isConnectionId(id) ? await deps.connections.get(caller.orgId, id) : undefined;
    const next = await decide(current);
    const act = typeof action === 'string' ? action : action(isLive(current) ? current : undefined);
    const audit = auditOf(current, next, act, caller, deps.clock.now());
    if (!audit && current) return current;
    if (await deps.connections.save(next, audit)) return next;
  }
  throw new AppError('write_conflict', `Others are changing ${id} right now. Please try again.`);
}
