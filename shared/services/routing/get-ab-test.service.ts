import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { transactionsOf } from '#shared/domain/routing/ab-test-results.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import type { CountedTest } from '#shared/ports/ab-tests.port.ts';
import type { Deps } from '#shared/ports/deps.ts';

const MISSING = 'There is no such A/B test.';

export const storedTest = async (orgId: string, id: string, { abTests }: Pick<Deps, 'abTests'>): Promise<AbTest> =>
  need(await abTests.get(orgId, id), MISSING);

export const countedTest = async (
  orgId: string,
  id: string,
  { abTests }: Pick<Deps, 'abTests'>,
): Promise<CountedTest> => need(await abTests.counted(orgId, id), MISSING);

/** A test as the API shows it. */
export const shownTest = ({ test, totals }: CountedTest) => ({ ...test, total_transactions: transactionsOf(totals) });
