import type { EditedRoutingRule, RoutingRule } from '#client/typescript/src/index.ts';

type Placed = Pick<RoutingRule, 'id' | 'priority' | 'created_at'>;

/** As routing tries them: the highest priority first, among equals the oldest. */
export function byTrial(a: Placed, b: Placed): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/**
 * The rules in the order that somebody is making. `order` may be older than the rules: deleted ones are left out, and a
 * rule that came later stands where routing tries it, before the first one that follows it.
 */
export function inOrder<T extends Placed>(rules: readonly T[], order: readonly string[] | undefined): readonly T[] {
  const stored = rules.toSorted(byTrial);
  if (!order) return stored;
  const known = order.flatMap((id) => stored.find((rule) => rule.id === id) ?? []);
  return stored
    .filter(({ id }) => !order.includes(id))
    .reduce<readonly T[]>((list, rule) => {
      const next = list.findIndex((other) => byTrial(rule, other) < 0);
      return list.toSpliced(next === -1 ? list.length : next, 0, rule);
    }, known);
}

/** The ids with one of them at another place. Places out of reach are the nearest end. */
export function moved(ids: readonly string[], id: string, to: number): readonly string[] {
  const rest = ids.filter((other) => other !== id);
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, id);
}

export const isSameOrder = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, n) => id === b[n]);

/** A rule as the simulator takes it: its place in the list stands for its priority. */
export const editedRule = (rule: RoutingRule): EditedRoutingRule => {
  const { id, name, countries, methods, connection_id, fallback_to_default, enabled } = rule;
  return { id, name, countries, methods, connection_id, fallback_to_default, enabled };
};
