/** Beyond this the rest of the distribution is below a double's precision. */
const FAR = 8;

/**
 * How much of the standard normal distribution lies below z: its power series about 0, Φ(z) = ½ + φ(z)·(z + z³/3 +
 * z⁵/(3·5) + …) (Abramowitz & Stegun, Handbook of Mathematical Functions, 26.2.11; Marsaglia, Evaluating the Normal
 * Distribution, 2004). Summed until nothing is added any more, it is as exact as doubles are, without a constant to
 * copy.
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (Math.abs(z) > FAR) return z < 0 ? 0 : 1;
  let [sum, last, term] = [z, 0, z];
  for (let n = 3; sum !== last; n += 2) {
    term *= (z * z) / n;
    [sum, last] = [sum + term, sum];
  }
  return Math.max(0, 0.5 + sum * Math.exp((-z * z) / 2 - Math.log(2 * Math.PI) / 2));
}

/** The quantile: the z below which this share lies; by bisection, as it is rarely needed. */
export function normalQuantile(share: number): number {
  let [low, high] = [-FAR, FAR];
  for (let n = 0; n < 60; n += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
