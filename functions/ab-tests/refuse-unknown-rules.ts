import type { Variant } from '#shared/domain/routing/ab-test.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';

/** A variant names a rule of its own organization: a rule of another one reads as not found. */
export function refuseUnknownRules(variants: readonly Variant[], rules: readonly RoutingRule[]): void {
  const known = new Set(rules.map(({ id }) => id));
  const faults = variants.flatMap(({ routing_rule_id }, n) =>
    known.has(routing_rule_id)
      ? []
      : [{ path: `variants.${n}.routing_rule_id`, message: 'There is no such routing rule.' }],
  );
  if (faults.length > 0) throw invalidFields(faults);
}
