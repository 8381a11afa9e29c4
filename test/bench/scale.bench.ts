import { CAPACITY } from '#lib/aws/stages.ts';
import { ceilingsOf } from '#test/bench/scale/ceilings.ts';
import { LARGE_TENANT } from '#test/bench/scale/key-families.ts';
import { PartitionedResource } from '#test/bench/scale/partition-model.ts';
import { ceilingsTable } from '#test/bench/scale/partitions-table.ts';
import { countScenarios } from '#test/bench/scale/scenarios.ts';
import { heatOf, type Mix, tenantsOf } from '#test/bench/scale/traffic-mix.ts';

/**
 * Counts what payments take from each partition, and plays a stage of the profile `large` on a model of DynamoDB's
 * partitions: a mix of tenants by Zipf's law, one of them with half of the payments, a dead receiver, and an outage of
 * a provider; then more and more, until it breaks. Prints where it breaks first, without a verdict.
 */
const MINUTES = 30;
const TENANTS = 1_000;
const NOTHING = { keys: [], even: { wcu: 0, rcu: 0 } };

const loads = await countScenarios();
const { warmThroughput: warm } = CAPACITY.large;

console.log(`\nA payment by partition; a tenant of 5,000 a second, with all that the platform can give it\n`);
console.log(ceilingsTable(ceilingsOf(loads.usual, LARGE_TENANT, 5_000), 5_000));

/** Half an hour, beginning with the warm throughput of the profile. */
function play(title: string, mix: Omit<Mix, 'loads' | 'tenants'>): number {
  const heats = heatOf(tenantsOf({ ...mix, loads, tenants: TENANTS }), 'large');
  const resources = new Map(
    [...heats.keys()].map((name) => {
      const { readUnitsPerSecond: rcu = 0, writeUnitsPerSecond: wcu = 0 } =
        warm?.[name === 'table' ? 'table' : 'index'] ?? {};
      return [name, new PartitionedResource({ wcu, rcu })];
    }),
  );
  const minutes: { throttled: number; asked: number }[] = [];
  const hot = new Map<string, number>();
  for (let second = 0; second < MINUTES * 60; second++) {
    if (second % 60 === 0) minutes.push({ throttled: 0, asked: 0 });
    const minute = minutes.at(-1) ?? { throttled: 0, asked: 0 };
    for (const [name, resource] of resources) {
      const { throttled, asked, hotKeys } = resource.step(heats.get(name) ?? NOTHING);
      minute.throttled += throttled;
      minute.asked += asked;
      if (minutes.length === MINUTES) for (const key of hotKeys) hot.set(key, (hot.get(key) ?? 0) + 1);
    }
  }
  const shares = minutes.map(({ throttled, asked }) => throttled / asked);
  console.log(`${title}\n  ${verdict(shares, hot)}`);
  console.log(`  partitions in the end: ${[...resources].map(([name, { size }]) => `${name} ${size}`).join(', ')}`);
  return shares.at(-1) ?? 0;
}

function verdict(shares: readonly number[], hot: ReadonlyMap<string, number>): string {
  const percent = (share = 0) => `${(share * 100).toFixed(2)} %`;
  const [first, last] = [shares[0] ?? 0, shares.at(-1) ?? 0];
  if (shares.every((share) => share === 0)) return 'nothing is throttled';
  const begin = `${percent(first)} of all units are throttled in the first minute`;
  if (last === 0) return `${begin}, none from minute ${shares.findLastIndex((share) => share > 0) + 2} on`;
  const keys = [...hot].sort((a, b) => b[1] - a[1]).map(([key]) => key);
  return `${begin}, ${percent(last)} for good: ${keys.slice(0, 3).join('; ')}`;
}

const usual = { stageRate: 10_000, largest: 0.5, grown: true };
console.log('\nA stage of 10,000 payments a second, half of them of one tenant\n');
play('all is well', usual);
play("the second tenant's receiver answers 500", { ...usual, deadReceiver: true });
play('a provider of a third of the payments is down', { ...usual, outage: 0.33 });
play('both', { ...usual, deadReceiver: true, outage: 0.33 });
play('nobody gave the tenants anything', { ...usual, grown: false });

console.log('\nMore and more, until it breaks for good\n');
for (let stageRate = 10_000; stageRate <= 1_280_000; stageRate *= 2)
  if (play(`${stageRate.toLocaleString('en')} a second`, { ...usual, stageRate }) > 0) break;
process.exit(0);
