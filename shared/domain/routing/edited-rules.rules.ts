import type { RoutedRule } from '#shared/domain/routing/routing-rule.model.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';

/** A rule of a set that is tried out before it is saved: the place in the list is its priority. */
type EditedRule = Omit<RoutedRule, 'id' | 'priority' | 'created_at'> & { readonly id?: string; readonly name?: string };

/** The rules as routing takes them. Throws where one names a connection that is not there, as saving it would. */
export function rulesInOrder(
  edited: readonly EditedRule[],
  connections: readonly { readonly id: string }[],
): readonly (RoutedRule & { readonly name: string })[] {
  const known = new Set(connections.map(({ id }) => id));
  const errors = edited.flatMap(({ connection_id }, n): FieldError[] =>
    known.has(connection_id) ? [] : [{ path: `rules.${n}.connection_id`, message: 'There is no such connection.' }],
  );
  if (errors.length > 0) throw invalidFields(errors);
  return edited.map((rule, n) => ({
    ...rule,
    id: rule.id ?? `new_${n + 1}`,
    name: rule.name ?? '',
    priority: edited.length - n,
    created_at: '',
  }));
}
