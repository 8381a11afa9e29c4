import type { RoutingRule } from '#shared/domain/routing-rule.model.ts';

/** `conflict`: the rule is not as it was when it was read. `no_connection`: the organization has no such connection. */
export type RuleWritten = 'done' | 'conflict' | 'no_connection';

/** Each write counts at the connection that the rule names, at once: one that a rule names can't be deleted. */
export interface RoutingRulesPort {
  get(orgId: string, id: string): Promise<RoutingRule | undefined>;
  create(rule: RoutingRule): Promise<RuleWritten>;
  replace(before: RoutingRule, after: RoutingRule): Promise<RuleWritten>;
  remove(rule: RoutingRule): Promise<RuleWritten>;
}
