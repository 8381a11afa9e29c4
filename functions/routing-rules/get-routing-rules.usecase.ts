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

/** An organization has at most a few hundred. */
export async function listRoutingRules(
  query: ListRoutingRulesInput,
  { orgId }: Caller,
  { routingRules }: Pick<Deps, 'routingRules'>,
) {
  return pageOf(await routingRules.list(orgId), query, ({ id }) => id);
}

export const loadRoutingRule = async (
  id: string,
  caller: Caller,
  { routingRules }: Pick<Deps, 'routingRules'>,
): Promise<RoutingRule> => orNotFound(await routingRules.get(caller.orgId, id), 'There is no such routing rule.');
