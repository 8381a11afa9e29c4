import type { OrderRoutingRulesInput } from '#functions/routing-rules/routing-rules.schema.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { prioritiesFor, spreadPriorities } from '#shared/domain/routing/rule-order.rules.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MAX_RULES_AT_ONCE, type RuleChange } from '#shared/ports/routing-rules.port.ts';

/** What moves changes in one transaction, so that no payment meets half of the new order. */
export function orderRoutingRules(
  { rules: ids }: OrderRoutingRulesInput,
  { orgId }: Caller,
  { routingRules, clock }: Pick<Deps, 'routingRules' | 'clock'>,
) {
  return retryOnConflict(async () => {
    const ordered = inOrder(ids, await routingRules.list(orgId));
    const priorities = prioritiesFor(ordered);
    const updated_at = clock.now().toISOString();
    if (priorities.size > MAX_RULES_AT_ONCE) return makeRoom(orgId, ordered, updated_at, routingRules);
    const { rules, changes } = withPriorities(ordered, priorities, updated_at);
    const written = changes.length === 0 ? 'done' : await routingRules.reorder(orgId, ordered, changes);
    return written === 'done' ? { rules, changed: changes.length } : undefined;
  }, 'The routing rules are being changed by other requests. Load them and try again.');
}

function withPriorities(
  stored: readonly RoutingRule[],
  priorities: ReadonlyMap<string, number>,
  updated_at: string,
): { readonly rules: readonly RoutingRule[]; readonly changes: readonly RuleChange[] } {
  const rules = stored.map((before) => withPriority(before, priorities.get(before.id), updated_at));
  const changes = stored.flatMap((before, n) => {
    const after = rules[n] ?? before;
    return after === before ? [] : [{ before, after }];
  });
  return { rules, changes };
}

/**
 * One rule that moves among many of equal priority would change more of them than one transaction can. So all get
 * priorities with gaps first, some at a time and from the first on, which leaves them in the order that they have.
 * Undefined, so that the move is tried again.
 */
async function makeRoom(
  orgId: string,
  ordered: readonly RoutingRule[],
  updated_at: string,
  routingRules: Deps['routingRules'],
): Promise<undefined> {
  const spread = spreadPriorities(ordered);
  const after = ordered.map((rule) => ({ ...rule, priority: spread.get(rule.id) ?? rule.priority }));
  const moved = prioritiesFor(after).size;
  if (moved > MAX_RULES_AT_ONCE) throw tooMany(moved);
  let stored = ordered;
  for (let first = 0; first < spread.size; first += MAX_RULES_AT_ONCE) {
    const some = new Map([...spread].slice(first, first + MAX_RULES_AT_ONCE));
    const { rules, changes } = withPriorities(stored, some, updated_at);
    if ((await routingRules.reorder(orgId, stored, changes)) === 'conflict') return undefined;
    stored = rules;
  }
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
