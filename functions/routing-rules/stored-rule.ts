import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const storedRule = async (
  id: string,
  caller: Caller,
  { routingRules }: Pick<Deps, 'routingRules'>,
): Promise<RoutingRule> => need(await routingRules.get(caller.orgId, id), 'There is no such routing rule.');
