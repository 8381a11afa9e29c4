import { normalCdf, normalQuantile } from '#shared/domain/routing/normal-distribution.rules.ts';

type Proportion = { readonly successful: number; readonly finished: number };

const rateOf = ({ successful, finished }: Proportion): number => successful / finished;

/** The p-value of the two-sided two-proportion z-test with pooled variance; 1 where nothing differs. */
export function twoProportionP(a: Proportion, b: Proportion): number {
  const pooled = (a.successful + b.successful) / (a.finished + b.finished);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / a.finished + 1 / b.finished));
  if (!(deviation > 0)) return 1;
  return Math.min(1, 2 * normalCdf(-Math.abs(rateOf(a) - rateOf(b)) / deviation));
}

/**
 * The sample size per group to detect this difference at this level and power (Fleiss, Statistical Methods for Rates
 * and Proportions, without continuity correction). Infinite where there is no difference.
 */
export function neededInEach(a: number, b: number, level: number, power: number): number {
  const middle = (a + b) / 2;
  const byChance = normalQuantile(1 - level / 2) * Math.sqrt(2 * middle * (1 - middle));
  const byDifference = normalQuantile(power) * Math.sqrt(a * (1 - a) + b * (1 - b));
  return a === b ? Number.POSITIVE_INFINITY : ((byChance + byDifference) / (a - b)) ** 2;
}
