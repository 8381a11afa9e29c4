type Proportion = { readonly successful: number; readonly finished: number };

const rateOf = ({ successful, finished }: Proportion): number => successful / finished;

/** The p-value of the two-sided two-proportion z-test with pooled variance; 1 if nothing differs. */
export function twoProportionP(a: Proportion, b: Proportion): number {
  const pooled = (a.successful + b.successful) / (a.finished + b.finished);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / a.finished + 1 / b.finished));
  if (!(deviation > 0)) return 1;
  return Math.min(1, 2 * normalCdf(-Math.abs(rateOf(a) - rateOf(b)) / deviation));
}

/**
 * The sample size per group to detect this difference at this level and power (Fleiss, Statistical Methods for Rates
 * and Proportions, without continuity correction). Infinite if there is no difference.
 */
export function sampleSizePerGroup(a: number, b: number, level: number, power: number): number {
  const mean = (a + b) / 2;
  const nullTerm = normalQuantile(1 - level / 2) * Math.sqrt(2 * mean * (1 - mean));
  const alternativeTerm = normalQuantile(power) * Math.sqrt(a * (1 - a) + b * (1 - b));
  return a === b ? Number.POSITIVE_INFINITY : ((nullTerm + alternativeTerm) / (a - b)) ** 2;
}

/** The probability beyond this z is smaller than a double can express. */
const MAX_Z = 8;

/**
 * The standard normal cumulative distribution: the probability below z. This is its power series about 0, Φ(z) = ½ +
 * φ(z)·(z + z³/3 + z⁵/(3·5) + …) (Abramowitz & Stegun, Handbook of Mathematical Functions, 26.2.11; Marsaglia,
 * Evaluating the Normal Distribution, 2004). The sum ends when a term no longer changes it, so it is as exact as
 * doubles are and needs no table of constants.
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (Math.abs(z) > MAX_Z) return z < 0 ? 0 : 1;
  let [sum, last, term] = [z, 0, z];
  for (let n = 3; sum !== last; n += 2) {
    term *= (z * z) / n;
    [sum, last] = [sum + term, sum];
  }
  return Math.max(0, 0.5 + sum * Math.exp((-z * z) / 2 - Math.log(2 * Math.PI) / 2));
}

/** The inverse of `normalCdf`, by bisection: it is rarely called, so speed does not matter. */
export function normalQuantile(share: number): number {
  let [low, high] = [-MAX_Z, MAX_Z];
  for (let n = 0; n < 60; n += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
