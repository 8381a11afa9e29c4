import type { AbTest, RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { TestTotals } from '#shared/domain/routing/ab-test-results.rules.ts';

/** A test with its variants' totals so far. */
export type AbTestWithTotals = { readonly test: AbTest; readonly totals: TestTotals };

/** All running tests of an organization. The version moves with each change: of two concurrent writers one succeeds. */
export type RunningAbTests = { readonly tests: readonly RunningTest[]; readonly version: number };

/** `conflict`: the test, or the running tests, changed since they were read. `no_rule`: a variant's rule is gone. */
export type AbTestSaveResult = 'done' | 'conflict' | 'no_rule';

export interface AbTestsPort {
  /** The stored test: this one, or the one that an earlier try stored under its id. */
  create(test: AbTest): Promise<AbTest>;
  get(orgId: string, id: string): Promise<AbTest | undefined>;
  getWithTotals(orgId: string, id: string): Promise<AbTestWithTotals | undefined>;
  list(orgId: string): Promise<readonly AbTestWithTotals[]>;
  running(orgId: string): Promise<RunningAbTests>;
  /**
   * With `running`, the new set of running tests, in the same write. From its first start to its completion a test's
   * rules can't be deleted.
   */
  replace(before: AbTest, after: AbTest, running?: RunningAbTests): Promise<AbTestSaveResult>;
}
