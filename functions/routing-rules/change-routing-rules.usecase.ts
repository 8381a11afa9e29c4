import { loadRoutingRule } from '#functions/routing-rules/get-routing-rules.usecase.ts';
import type { CreateRoutingRuleInput, UpdateRoutingRuleInput } from '#functions/routing-rules/routing-rules.schema.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RuleSaveResult } from '#shared/ports/routing-rules.port.ts';

const DEFAULTS = { methods: [], priority: 0, fallback_to_default: false, enabled: true };

/** A repeat of the operation returns the same rule. */
export async function createRoutingRule(
  input: CreateRoutingRuleInput,
  caller: Caller,
  { routingRules }: Pick<Deps, 'routingRules'>,
): Promise<RoutingRule> {
  const at = caller.operation.at.toISOString();
  const id = operationId(caller.operation, 'rule');
  const rule: RoutingRule = {
    ...DEFAULTS,
    ...input,
    id,
    org_id: caller.orgId,
    created_at: at,
    updated_at: at,
    version: 1,
  };
  if (caller.operation.resumed) {
    const stored = await routingRules.get(caller.orgId, id);
    if (stored) return stored;
  }
  const written = await routingRules.create(rule);
  assertConnectionExists(written);
  const stored = written === 'conflict' ? await routingRules.get(caller.orgId, id) : rule;
  return stored ?? rule;
}

/** Fields that are not sent stay unchanged. */
export function updateRoutingRule(
  { id, ...input }: UpdateRoutingRuleInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'routingRules' | 'clock'>,
): Promise<RoutingRule> {
  return retryOnConflict(async () => {
    const before = await loadRoutingRule(id, caller, deps);
    const after: RoutingRule = {
      ...before,
      ...input,
      updated_at: deps.clock.now().toISOString(),
      version: before.version + 1,
    };
    const written = await deps.routingRules.replace(before, after);
    assertConnectionExists(written);
    return written === 'done' ? after : undefined;
  }, `Routing rule ${id} is being changed by other requests. Try again.`);
}

/** Payments that it routed keep its id. A retry after a crash succeeds if its own first run deleted the rule. */
export function deleteRoutingRule({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'routingRules'>) {
  const deleted = { id, deleted: true as const };
  return retryOnConflict(async () => {
    const rule = await deps.routingRules.get(caller.orgId, id);
    if (!rule && caller.operation.resumed && isId('rule', id)) return deleted;
    if (!rule) throw new AppError('not_found', 'There is no such routing rule.');
    if (rule.used_by_tests)
      throw new AppError('routing_rule_in_use', `A started A/B test uses ${id}. Complete the test first.`);
    return (await deps.routingRules.remove(rule)) === 'done' ? deleted : undefined;
  }, `Routing rule ${id} is being changed by other requests. Try again.`);
}

/** The connection must belong to the same organization. */
function assertConnectionExists(written: RuleSaveResult): void {
  if (written === 'no_connection')
    throw invalidFields([{ path: 'connection_id', message: 'There is no such connection.' }]);
}
