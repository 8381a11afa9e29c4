import type { ListRoutingRulesInput } from '#functions/routing-rules/routing-rules.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getRoutingRule = (
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'routingRules'>,
): Promise<RoutingRule> => loadRoutingRule(id, caller, deps);

/** An organization has few rules, and routing reads all of them in one query anyway. */
export async function listRoutingRules(query: ListRoutingRulesInput, caller: Caller) {
  const { rules } = await caller.routingData();
  return pageOf(rules, query, ({ id }) => id);
}

export const loadRoutingRule = async (
  id: string,
  caller: Caller,
  { routingRules }: Pick<Deps, 'routingRules'>,
): Promise<RoutingRule> => orNotFound(await routingRules.get(caller.orgId, id), 'There is no such routing rule.');
