import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const PAGE = 50;

/** The operation's id in the audit. */
export const actId = ({ operation }: Pick<Caller, 'operation'>): string => operationId(operation, 'act');

/**
 * Whether an earlier run of this operation made its change before it died. The audit tells, even after later changes by
 * others: those must not be undone, and a secret that they ended must not come back.
 */
export async function wasDone(
  audits: number,
  caller: Caller,
  { receivers }: Pick<Deps, 'receivers'>,
): Promise<boolean> {
  if (!caller.operation.resumed) return false;
  for (let from = audits; from > 0; from -= PAGE) {
    const entries = await receivers.audit(caller.orgId, from, PAGE);
    if (entries.some(({ act_id }) => act_id === actId(caller))) return true;
    if (entries.some(({ created_at }) => created_at < caller.operation.at.toISOString())) return false;
  }
  return false;
}
