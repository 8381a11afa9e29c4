import type { AbTest, RunningTest, Targets } from '#shared/domain/routing/ab-test.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * All running tests of an organization are in one item that routing reads with each payment: this keeps it under 100
 * KB.
 */
const MOST_RUNNING = 16;

/** An ended test takes no payments, though the timer completes it up to a minute later. */
export const hasEnded = ({ end_at }: Pick<AbTest, 'end_at'>, at: Date): boolean =>
  end_at !== null && new Date(end_at) <= at;

/** The running tests with this one in its present state. Throws where two overlap. */
export function runningWith(running: readonly RunningTest[], test: AbTest, at: Date): readonly RunningTest[] {
  const others = running.filter((other) => other.id !== test.id && !hasEnded(other, at));
  if (test.status !== 'running') return others;
  const rival = others.find((other) => overlap(other, test));
  if (rival) {
    throw new AppError(
      'ab_test_overlap',
      `The running test ${rival.id} targets some of the same payments. Pause or complete it, or change the targets.`,
      {
        details: { ab_test_id: rival.id },
      },
    );
  }
  if (others.length >= MOST_RUNNING)
    throw new AppError('ab_test_limit', `${MOST_RUNNING} tests run already. Pause or complete one first.`);
  return [...others, entryOf(test)];
}

/** Whether a payment can match both targets, whatever their traffic shares. */
export const overlap = (a: Targets, b: Targets): boolean =>
  meet(a.target_currencies, b.target_currencies) &&
  meet(a.target_countries, b.target_countries) &&
  meet(a.target_methods, b.target_methods);

const meet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || a.some((each) => b.includes(each));

const entryOf = ({
  id,
  variants,
  traffic_percentage,
  target_currencies,
  target_countries,
  target_methods,
  end_at,
}: AbTest): RunningTest => ({
  id,
  variants,
  traffic_percentage,
  target_currencies,
  target_countries,
  target_methods,
  end_at,
});
