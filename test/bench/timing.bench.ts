import { alikePairs, apartPairs, type Pair } from '#test/bench/alike-pairs.ts';
import { type Difference, differenceOf, pairedTimes } from '#test/bench/paired-times.ts';
import { startHost } from '#test/support/host.ts';

/**
 * Whether response times reveal what the responses hide. Pairs of requests over HTTP, in turn, against a local host
 * of its own. Prints figures without a verdict: that both do the same work is counted in test/http/same-work.test.ts.
 */
const [rounds = '300'] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const WARM_UP = 30;
/**
 * Of the median difference of a pair, in ms. Over a network, whose times vary by milliseconds, this takes far more
 * attempts than rate limits allow.
 */
const BOUND = 0.25;

const ms = (number: number): string => number.toFixed(3);
const signed = (number: number): string => `${number < 0 ? '-' : '+'}${ms(Math.abs(number))}`;

const DIFFERS = 'DIFFERS';

function verdictOn({ low, high }: Difference): string {
  if (low >= -BOUND && high <= BOUND) return low <= 0 && high >= 0 ? 'no difference' : `within ±${BOUND} ms`;
  return low <= BOUND && high >= -BOUND ? 'too noisy to tell' : DIFFERS;
}

/** The difference between two identical requests: what this machine cannot distinguish. */
const controls = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.slice(-1).map(({ other }) => ({ what: 'the same request, twice', one: other, other }));

/** An apparent difference is measured again, for twice as long: one interval in twenty is wrong. */
async function measured(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<Difference> {
  const found = differenceOf(await pairedTimes(one, other, ROUNDS));
  return verdictOn(found) === DIFFERS ? differenceOf(await pairedTimes(one, other, 2 * ROUNDS)) : found;
}

async function tell({ what, one, other }: Pair): Promise<void> {
  await pairedTimes(one, other, WARM_UP);
  const found = await measured(one, other);
  const [first, second] = found.medians;
  console.log(
    `${ms(first)}  ${ms(second)}  ${signed(found.difference)} (${signed(found.low)} … ${signed(found.high)})  ${verdictOn(found).padEnd(18)} ${what}`,
  );
}

const host = await startHost();
const begun = performance.now();
try {
  console.log(`${ROUNDS} pairs each; medians, and the median difference with its 95 % interval, in ms`);
  const pairs = await alikePairs(host);
  for (const pair of [...pairs, ...controls(pairs)]) await tell(pair);
  console.log('What the answers tell apart anyway:');
  for (const pair of await apartPairs(host)) await tell(pair);
  console.log(`in ${Math.round((performance.now() - begun) / 1_000)} s`);
} finally {
  await host.close();
}
