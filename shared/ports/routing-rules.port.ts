import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';

/** `conflict`: the rule changed since it was read. `no_connection`: the organization has no such connection. */
export type RuleSaveResult = 'done' | 'conflict' | 'no_connection';

export type RuleChange = { readonly before: RoutingRule; readonly after: RoutingRule };

/** So many rules one transaction can change, beside the copies of the snapshot. */
export const MAX_RULES_AT_ONCE = 80;

/**
 * Each write updates the count of rules on the named connection, in the same transaction: a connection with rules can't
 * be deleted. A rule that would take the setup over a limit is refused.
 */
export interface RoutingRulesPort {
  get(orgId: string, id: string): Promise<RoutingRule | undefined>;
  list(orgId: string): Promise<readonly RoutingRule[]>;
  create(rule: RoutingRule): Promise<RuleSaveResult>;
  replace(before: RoutingRule, after: RoutingRule): Promise<RuleSaveResult>;
  /**
   * All or none, of one organization, each with the connection that it had. `conflict`: these are no longer all of its
   * rules as they are stored, so that the order would be another one.
   */
  reorder(orgId: string, rules: readonly RoutingRule[], changes: readonly RuleChange[]): Promise<'done' | 'conflict'>;
  remove(rule: RoutingRule): Promise<RuleSaveResult>;
}
