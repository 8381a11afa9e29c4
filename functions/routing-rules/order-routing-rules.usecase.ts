import type { OrderRoutingRulesInput } from '#functions/routing-rules/routing-rules.schema.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { prioritiesFor } from '#shared/domain/routing/rule-order.rules.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MAX_RULES_AT_ONCE } from '#shared/ports/routing-rules.port.ts';

/** All priorities change in one transaction, so that no payment meets half of the new order. */
export function orderRoutingRules(
  { rules: ids }: OrderRoutingRulesInput,
  { orgId }: Caller,
  { routingRules, clock }: Pick<Deps, 'routingRules' | 'clock'>,
) {
  return retryOnConflict(async () => {
    const ordered = inOrder(ids, await routingRules.list(orgId));
    const priorities = prioritiesFor(ordered);
    if (priorities.size > MAX_RULES_AT_ONCE) throw tooMany(priorities.size);
    const updated_at = clock.now().toISOString();
    const rules = ordered.map((before) => withPriority(before, priorities.get(before.id), updated_at));
    const changes = ordered.flatMap((before, n) => {
      const after = rules[n] ?? before;
      return after === before ? [] : [{ before, after }];
    });
    const written = changes.length === 0 ? 'done' : await routingRules.reorder(orgId, changes);
    return written === 'done' ? { rules, changed: changes.length } : undefined;
  }, 'The routing rules are being changed by other requests. Load them and try again.');
}

const withPriority = (rule: RoutingRule, priority: number | undefined, updated_at: string): RoutingRule =>
  priority === undefined ? rule : { ...rule, priority, updated_at, version: rule.version + 1 };

/** An order that lacks a rule was made before that one was created: whoever made it must see the new one first. */
function inOrder(ids: readonly string[], stored: readonly RoutingRule[]): readonly RoutingRule[] {
  const byId = new Map(stored.map((rule) => [rule.id, rule]));
  const unknown = ids.flatMap((id, n): FieldError[] =>
    byId.has(id) ? [] : [{ path: `rules.${n}`, message: 'There is no such routing rule.' }],
  );
  const missing = stored.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  if (missing.length > 0)
    unknown.push({ path: 'rules', message: `Must name every rule. Missing: ${listed(missing)}.` });
  if (unknown.length > 0) throw invalidFields(unknown);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const MAX_LISTED = 5;
const listed = (ids: readonly string[]): string =>
  ids.slice(0, MAX_LISTED).join(', ') + (ids.length > MAX_LISTED ? ` and ${ids.length - MAX_LISTED} more` : '');

const tooMany = (count: number) =>
  invalidFields([
    {
      path: 'rules',
      message:
        `This order changes the priorities of ${count} rules, and at most ${MAX_RULES_AT_ONCE} can change at once. ` +
        'Move fewer rules, or move them in several steps.',
    },
  ]);
