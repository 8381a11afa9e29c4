import { createHash } from 'node:crypto';
import type { AbTest, RunningTest, Variant } from '#shared/domain/routing/ab-test.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

export const testId = (n: number): string =>
  idFrom('abTest', later(n * 1_000), createHash('sha256').update(`test ${n}`).digest());

export const aVariant = (name: string, weight = 1): Variant => ({ name, routing_rule_id: `rule_${name}`, weight });

const WHAT = {
  variants: [aVariant('A'), aVariant('B')],
  traffic_percentage: 100,
  target_currencies: [],
  target_countries: [],
  target_methods: [],
  end_at: null,
} as const satisfies Partial<AbTest>;

/** A draft with two even variants for all payments. A running one started at the start time. */
export function anAbTest(about: Partial<AbTest> = {}): AbTest {
  const begun = about.status !== undefined && about.status !== 'draft';
  return {
    ...WHAT,
    id: testId(1),
    org_id: ORG,
    mode: 'sandbox',
    name: 'A or B',
    description: null,
    status: 'draft',
    start_at: null,
    start_failure: null,
    created_at: START.toISOString(),
    updated_at: START.toISOString(),
    started_at: begun ? START.toISOString() : null,
    version: 1,
    ...about,
  };
}

export const aRunningTest = (about: Partial<RunningTest> = {}): RunningTest => ({ ...WHAT, id: testId(1), ...about });
