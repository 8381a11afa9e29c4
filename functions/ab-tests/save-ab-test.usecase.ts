import type { CreateAbTestInput, UpdateAbTestInput } from '#functions/ab-tests/ab-tests.schema.ts';
import { assertFeature, effectivePlan } from '#shared/domain/accounts/plan.rules.ts';
import { assertValidTimes, editTest } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest, Variant } from '#shared/domain/routing/ab-test.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { abTestView, changeAbTest, countedTest } from '#shared/services/routing/ab-tests.service.ts';

type Needs = Pick<Deps, 'abTests' | 'routingRules' | 'clock' | 'config'>;

/** A repeat of the operation returns the same test. A test gets no payments before it is started. */
export async function createAbTest(input: CreateAbTestInput, caller: Caller, deps: Needs) {
  const { abTests, routingRules, clock, config } = deps;
  const { organization } = await caller.routingData();
  assertFeature(effectivePlan(organization, config.stage), 'ab_tests');
  const at = caller.operation.at.toISOString();
  const id = operationId(caller.operation, 'abTest');
  const test: AbTest = {
    ...DEFAULTS,
    ...input,
    id,
    org_id: caller.orgId,
    mode: config.stage,
    status: 'draft',
    start_failure: null,
    created_at: at,
    updated_at: at,
    started_at: null,
    version: 1,
  };
  assertValidTimes(test, input, null, clock.now());
  assertRulesExist(test.variants, await routingRules.list(caller.orgId));
  return abTestView({ test: await abTests.create(test), totals: new Map() });
}

const DEFAULTS = {
  description: null,
  traffic_percentage: 100,
  target_currencies: [],
  target_countries: [],
  target_methods: [],
  start_at: null,
  end_at: null,
} satisfies Partial<AbTest>;

type Input = UpdateAbTestInput & { readonly id: string };

/** Fields that are not sent stay unchanged. A running test must not overlap with another one afterwards either. */
export async function updateAbTest(
  { id, ...changes }: Input,
  caller: Caller,
  deps: Pick<Deps, 'abTests' | 'routingRules' | 'clock'>,
) {
  const { totals } = await countedTest(caller.orgId, id, deps);
  const rules = changes.variants ? await deps.routingRules.list(caller.orgId) : [];
  const test = await changeAbTest(
    caller.orgId,
    id,
    (before) => {
      const edited = editTest(before, changes, deps.clock.now());
      if (changes.variants && before.started_at === null) assertRulesExist(changes.variants, rules);
      return edited;
    },
    deps,
  );
  return abTestView({ test, totals });
}

/** The rules of all variants must belong to the same organization. */
function assertRulesExist(variants: readonly Variant[], rules: readonly RoutingRule[]): void {
  const known = new Set(rules.map(({ id }) => id));
  const errors = variants.flatMap(({ routing_rule_id }, n) =>
    known.has(routing_rule_id)
      ? []
      : [{ path: `variants.${n}.routing_rule_id`, message: 'There is no such routing rule.' }],
  );
  if (errors.length > 0) throw invalidFields(errors);
}
