import type { AbTest, RunningTest } from '#shared/domain/ab-test.model.ts';
import type { TestTotals } from '#shared/domain/ab-test-results.rules.ts';

/** A test with what was counted of its variants so far. */
export type CountedTest = { readonly test: AbTest; readonly totals: TestTotals };

/** All tests of an organization that run. Its version moves with each change: of two who read the same one, one writes. */
export type RunningTests = { readonly tests: readonly RunningTest[]; readonly version: number };

/** `conflict`: the test, or what runs beside it, is not as it was when it was read. `no_rule`: a variant's rule is gone. */
export type TestWritten = 'done' | 'conflict' | 'no_rule';

export interface AbTestsPort {
  /** The stored test: the given one, or what an earlier try stored under this id. */
  create(test: AbTest): Promise<AbTest>;
  get(orgId: string, id: string): Promise<AbTest | undefined>;
  counted(orgId: string, id: string): Promise<CountedTest | undefined>;
  list(orgId: string): Promise<readonly CountedTest[]>;
  running(orgId: string): Promise<RunningTests>;
  /** With `running`, what runs from now on, at once. From its first start until it is completed the rules of its variants stay. */
  replace(before: AbTest, after: AbTest, running?: RunningTests): Promise<TestWritten>;
}
