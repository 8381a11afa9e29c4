import type { CreateRoutingRuleInput } from '#functions/routing-rules/routing-rules.schema.ts';
import { refuseUnknown } from '#functions/routing-rules/rule-written.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { Answer } from '#shared/http/route.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The same operation makes the same rule, also when repeated. */
export async function createRoutingRule(
  input: CreateRoutingRuleInput,
  caller: Caller,
  { routingRules }: Pick<Deps, 'routingRules'>,
): Promise<Answer<RoutingRule>> {
  const at = caller.operation.at.toISOString();
  const id = operationId(caller.operation, 'rule');
  const usual = { methods: [], priority: 0, fallback_to_default: false, enabled: true };
  const rule: RoutingRule = {
    ...usual,
    ...input,
    id,
    org_id: caller.orgId,
    created_at: at,
    updated_at: at,
    version: 1,
  };
  const written = await routingRules.create(rule);
  refuseUnknown(written);
  const stands = written === 'conflict' ? await routingRules.get(caller.orgId, id) : rule;
  return new Answer(stands ?? rule, { location: `/v1/routing-rules/${id}` });
}
