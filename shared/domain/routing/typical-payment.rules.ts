import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import { chooseVariant, hasEnded, isTargeted } from '#shared/domain/routing/ab-test-running.rules.ts';
import { type Candidate, type RoutedPayment, rateCandidate } from '#shared/domain/routing/candidates.rules.ts';

/** What payments that are equal but for their ids differ by: the shares of A/B tests, and probes. */
type Draw = {
  readonly candidates: readonly Candidate[];
  readonly tests: readonly RunningTest[];
  readonly at: Date;
};

/** How many ids are tried: enough for the rarest combination that is looked for. */
const MAX_IDS = 500;

/**
 * Of payments that differ by their ids alone, one that goes the way of most: it probes no connection, and it is in the
 * largest share of an A/B test, or in none where that is larger.
 */
export function typicalPayment<T extends RoutedPayment>(make: (n: number) => T, draw: Draw): T {
  for (let n = 0; n < MAX_IDS; n += 1) {
    const payment = make(n);
    if (isTypical(payment, draw)) return payment;
  }
  return make(0);
}

function isTypical(payment: RoutedPayment, draw: Draw): boolean {
  if (draw.candidates.some((candidate) => rateCandidate(candidate, payment).isProbed)) return false;
  const test = testByChance(payment, draw);
  if (!test) return true;
  const chosen = chooseVariant([test], payment)?.variant;
  const heaviest = Math.max(...test.variants.map(({ weight }) => weight));
  const share = (test.traffic_percentage * heaviest) / test.variants.reduce((sum, { weight }) => sum + weight, 0);
  return share < 100 - test.traffic_percentage ? chosen === undefined : chosen?.weight === heaviest;
}

/** Whether another payment with the same fields may go elsewhere. */
export const isByChance = (payment: RoutedPayment, draw: Draw): boolean =>
  testByChance(payment, draw) !== undefined ||
  draw.candidates.some(
    (candidate) => isTroubled(candidate) && rateCandidate(candidate, payment).reason === null && isAlternative(draw),
  );

const isTroubled = ({ health }: Candidate): boolean => health === 'degraded' || health === 'down';
const isAlternative = ({ candidates }: Draw): boolean => candidates.length > 1;

/** The test that takes some of these payments. A customer always stays in one share, so that none of it is chance. */
function testByChance(payment: RoutedPayment, { tests, at }: Draw): RunningTest | undefined {
  if (payment.customer_id !== null) return undefined;
  const test = tests.find((each) => !hasEnded(each, at) && isTargeted(each, payment));
  return test && test.traffic_percentage > 0 ? test : undefined;
}
