import { hash } from 'node:crypto';
import type { AbTest, RunningTest, TestTargets, Variant } from '#shared/domain/routing/ab-test.model.ts';
import type { RoutedPayment } from '#shared/domain/routing/candidates.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** All running tests of an organization are in one item, and in what each payment reads: this keeps it under 100 KB. */
const MAX_RUNNING = 16;

/** An ended test takes no payments, though the timer completes it up to a minute later. */
export const hasEnded = ({ end_at }: Pick<AbTest, 'end_at'>, at: Date): boolean =>
  end_at !== null && new Date(end_at) <= at;

/** The running tests with this one in its present state. Throws where two overlap. */
export function runningWith(running: readonly RunningTest[], test: AbTest, at: Date): readonly RunningTest[] {
  const others = running.filter((other) => other.id !== test.id && !hasEnded(other, at));
  if (test.status !== 'running') return others;
  const rival = others.find((other) => targetsOverlap(other, test));
  if (rival) {
    throw new AppError(
      'ab_test_overlap',
      `The running test ${rival.id} targets some of the same payments. Pause or complete it, or change the targets.`,
      {
        details: { ab_test_id: rival.id },
      },
    );
  }
  if (others.length >= MAX_RUNNING)
    throw new AppError('ab_test_limit', `${MAX_RUNNING} tests run already. Pause or complete one first.`);
  return [...others, runningTestOf(test)];
}

/** Whether a payment can match both targets, regardless of their traffic shares. */
export const targetsOverlap = (a: TestTargets, b: TestTargets): boolean =>
  listsOverlap(a.target_currencies, b.target_currencies) &&
  listsOverlap(a.target_countries, b.target_countries) &&
  listsOverlap(a.target_methods, b.target_methods);

const listsOverlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || a.some((each) => b.includes(each));

const runningTestOf = ({
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

type ChosenVariant = { readonly test: RunningTest; readonly variant: Variant };

type TestedPayment = Pick<RoutedPayment, 'id' | 'customer_id' | 'currency' | 'country' | 'method'>;

/** The test that takes this payment, and its variant: always the same for a customer while the test runs. */
export function chooseVariant(tests: readonly RunningTest[], payment: TestedPayment): ChosenVariant | undefined {
  const test = tests.find((each) => isTargeted(each, payment));
  if (!test) return undefined;
  // Two independent hashes: being in the test says nothing about the variant, and a larger traffic share moves no
  // customer to another variant.
  const { inTraffic, amongVariants } = hashPointsOf(test.id, payment.customer_id ?? payment.id);
  if (inTraffic * 100 >= test.traffic_percentage) return undefined;
  const variant = variantAt(test.variants, amongVariants);
  return variant && { test, variant };
}

export function isTargeted(
  { target_currencies, target_countries, target_methods }: RunningTest,
  { currency, country, method }: TestedPayment,
): boolean {
  const lists = (all: readonly string[], one: string | null) => all.length === 0 || (one !== null && all.includes(one));
  return lists(target_currencies, currency) && lists(target_countries, country) && lists(target_methods, method);
}

function variantAt(variants: readonly Variant[], point: number): Variant | undefined {
  let left = point * variants.reduce((sum, { weight }) => sum + weight, 0);
  return variants.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}

/** Two evenly distributed numbers in [0, 1), always the same for the same arguments. */
function hashPointsOf(testId: string, subject: string) {
  const digest = hash('sha256', `${testId} ${subject}`, 'buffer');
  const pointAt = (byte: number) => digest.readUIntBE(byte, 6) / 2 ** 48;
  return { inTraffic: pointAt(0), amongVariants: pointAt(6) };
}
