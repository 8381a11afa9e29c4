import { storedRule } from '#functions/routing-rules/stored-rule.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getRoutingRule = (
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'routingRules'>,
): Promise<RoutingRule> => storedRule(id, caller, deps);
