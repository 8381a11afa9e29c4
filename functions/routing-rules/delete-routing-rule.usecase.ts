import { AppError } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Payments that it has routed keep its id. A retry after a crash may find it deleted by its own first run: that is
 * success.
 */
export function deleteRoutingRule({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'routingRules'>) {
  const deleted = { id, deleted: true as const };
  return inRounds(async () => {
    const rule = await deps.routingRules.get(caller.orgId, id);
    if (!rule && caller.operation.resumed && isId('rule', id)) return deleted;
    if (!rule) throw new AppError('not_found', 'There is no such routing rule.');
    if (rule.used_by_tests)
      throw new AppError('routing_rule_in_use', `An A/B test that has begun uses ${id}. Complete the test first.`);
    return (await deps.routingRules.remove(rule)) === 'done' ? deleted : undefined;
  }, `Others are changing ${id} right now. Please try again.`);
}
