import type { CreateAbTestInput } from '#functions/ab-tests/ab-tests.schema.ts';
import { refuseUnknownRules } from '#functions/ab-tests/refuse-unknown-rules.ts';
import { effectivePlan, refuseWithout } from '#shared/domain/accounts/plan.rules.ts';
import { refuseBadTimes } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { Answer } from '#shared/http/route.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { shownTest } from '#shared/services/routing/get-ab-test.service.ts';

type Needs = Pick<Deps, 'abTests' | 'clock' | 'config'>;

/** The same operation makes the same test, also when repeated. A test takes no payments before it is started. */
export async function createAbTest(input: CreateAbTestInput, caller: Caller, { abTests, clock, config }: Needs) {
  const { organization, rules } = await caller.setup();
  refuseWithout(effectivePlan(organization, config.stage), 'ab_tests');
  const at = caller.operation.at.toISOString();
  const id = operationId(caller.operation, 'abTest');
  const test: AbTest = {
    ...USUAL,
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
  refuseBadTimes(test, input, null, clock.now());
  refuseUnknownRules(test.variants, rules);
  return new Answer(shownTest({ test: await abTests.create(test), totals: new Map() }), {
    location: `/v1/routing-ab-tests/${id}`,
  });
}

const USUAL = {
  description: null,
  traffic_percentage: 100,
  target_currencies: [],
  target_countries: [],
  target_methods: [],
  start_at: null,
  end_at: null,
} satisfies Partial<AbTest>;
