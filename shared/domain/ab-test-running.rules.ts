import type { AbTest, RunningTest, Targets } from '#shared/domain/ab-test.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** All running tests of an organization lie in one item, which routing reads with each payment: it stays under 100 KB. */
export const MOST_RUNNING = 16;

/** It takes nothing from then on, though the timer that completes it comes up to a minute later. */
export const hasEnded = ({ end_at }: Pick<AbTest, 'end_at'>, at: Date): boolean => end_at !== null && new Date(end_at) <= at;

/** The running tests, once this one is as it is now. Throws where two would want the same payments. */
export function runningWith(running: readonly RunningTest[], test: AbTest, at: Date): readonly RunningTest[] {
  const others = running.filter((other) => other.id !== test.id && !hasEnded(other, at));
  if (test.status !== 'running') return others;
  const rival = others.find((other) => overlap(other, test));
  if (rival) {
    throw new AppError('ab_test_overlap', `The running test ${rival.id} targets some of the same payments. Pause or complete it, or change the targets.`, {
      details: { ab_test_id: rival.id },
    });
  }
  if (others.length >= MOST_RUNNING) throw new AppError('ab_test_limit', `${MOST_RUNNING} tests run already. Pause or complete one first.`);
  return [...others, entryOf(test)];
}

/** Whether there can be a payment that both target. What share of it each takes does not matter. */
export const overlap = (a: Targets, b: Targets): boolean =>
  meet(a.target_currencies, b.target_currencies) && meet(a.target_countries, b.target_countries) && meet(a.target_methods, b.target_methods);

const meet = (a: readonly string[], b: readonly string[]): boolean => a.length === 0 || b.length === 0 || a.some((each) => b.includes(each));

const entryOf = ({ id, variants, traffic_percentage, target_currencies, target_countries, target_methods, end_at }: AbTest): RunningTest => ({
  id,
  variants,
  traffic_percentage,
  target_currencies,
  target_countries,
  target_methods,
  end_at,
});
