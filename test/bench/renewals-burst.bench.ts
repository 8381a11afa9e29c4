import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { median } from '#test/bench/paired-times.ts';
import type { FromRenewalsHost, RenewalsDone, ToRenewalsHost } from '#test/bench/renewals-burst-host.ts';

/**
 * Renewals that are due at once, on a host in a process of its own with its data in files: how many a second until all
 * their events are written, and the CPU of each, the simulated provider included. `-- --due 1000 --rounds 3 --against
 * DIR`: with another checkout, whose host takes turns with ours. `--organizations 20`: how many they belong to.
 */
const { values } = parseArgs({
  options: {
    due: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    organizations: { type: 'string', default: '20' },
    against: { type: 'string' },
  },
});
const [due, rounds] = [Number(values.due), Number(values.rounds)];

type Side = {
  readonly name: string;
  readonly round: () => Promise<RenewalsDone>;
  readonly end: () => Promise<void>;
};

async function side(name: string, checkout: string): Promise<Side> {
  const child = fork(new URL('renewals-burst-host.ts', import.meta.url), [checkout, values.organizations]);
  const reply = async <T extends FromRenewalsHost>(): Promise<T> => {
    const got = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)]);
    if (!got) throw new Error(`The host of ${name} has ended.`);
    return got[0];
  };
  await reply();
  return {
    name,
    round: () => {
      child.send({ due } satisfies ToRenewalsHost);
      return reply<RenewalsDone>();
    },
    end: async () => {
      child.send('end' satisfies ToRenewalsHost);
      await once(child, 'exit');
    },
  };
}

const rateOf = ({ ms }: RenewalsDone): number => (due / ms) * 1_000;
const cpuOf = ({ cpuMs }: RenewalsDone): number => cpuMs / due;
const figures = (rate: number, cpu: number) => `${rate.toFixed(0)} a second, CPU ${cpu.toFixed(2)} ms each`;

const sides = [await side('this checkout', process.cwd())];
if (values.against !== undefined) sides.push(await side(values.against, values.against));
const seen = new Map<Side, RenewalsDone[]>(sides.map((each) => [each, []]));
for (let n = 0; n < rounds; n += 1) {
  for (const each of n % 2 === 0 ? sides : sides.toReversed()) {
    const round = await each.round();
    seen.get(each)?.push(round);
    console.log(`round ${n + 1}, ${each.name}: ${figures(rateOf(round), cpuOf(round))}`);
  }
}
for (const [{ name }, all] of seen) {
  const last = all.at(-1);
  const calls = Object.entries(last?.calls ?? {}).map(([call, count]) => `${call} ${(count / due).toFixed(2)}`);
  console.log(
    `${name}, ${due} due at once, median of ${rounds} rounds: ${figures(median(all.map(rateOf)), median(all.map(cpuOf)))}; ` +
      `messages ${((last?.messages ?? 0) / due).toFixed(2)} each\n  calls of each: ${calls.sort().join(', ')}`,
  );
}
await Promise.all(sides.map((each) => each.end()));
