import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { median } from '#test/bench/paired-times.ts';
import type { BurstDone, CpuSpent, FromBurstHost, ToBurstHost } from '#test/bench/webhooks-burst-host.ts';
import { fastReceiver } from '#test/bench/webhooks-receivers.ts';
import { until } from '#test/bench/webhooks-traffic.ts';

/**
 * Bursts of events to one fast endpoint, over loopback, from a host in a process of its own with its data in files: how
 * many a second, the time of each from its creation to its receipt, and the host's CPU, the writing of the events
 * included. `-- --events 2000 --rounds 5 --against DIR`: with another checkout, whose host takes turns with ours.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const [events, rounds] = [Number(values.events), Number(values.rounds)];

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

type Round = { readonly rate: number; readonly p50: number; readonly p99: number; readonly cpuMs: number };
type Side = { readonly name: string; readonly round: () => Promise<Round>; readonly end: () => Promise<void> };

async function ask<T extends FromBurstHost>(child: ChildProcess, message: ToBurstHost): Promise<T> {
  child.send(message);
  const [reply] = await once(child, 'message');
  return reply;
}

async function side(name: string, checkout: string): Promise<Side> {
  const receiver = await fastReceiver();
  const child = fork(new URL('webhooks-burst-host.ts', import.meta.url), [checkout, receiver.url]);
  await once(child, 'message');
  const cpu = async () => (await ask<CpuSpent>(child, 'cpu')).processMs;
  return {
    name,
    round: async () => {
      const before = await cpu();
      const { begun } = await ask<BurstDone>(child, { burst: events });
      await until(() => begun.every(([id]) => receiver.arrived.has(id)), 'the events of the burst');
      const receipts = begun.map(([id, at]) => ({ at, got: performance.timeOrigin + (receiver.arrived.get(id) ?? 0) }));
      const times = receipts.map(({ at, got }) => got - at).sort((a, b) => a - b);
      const ms = Math.max(...receipts.map(({ got }) => got)) - Math.min(...receipts.map(({ at }) => at));
      const cpuMs = ((await cpu()) - before) / events;
      return { rate: (events / ms) * 1_000, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpuMs };
    },
    end: async () => {
      child.send('end' satisfies ToBurstHost);
      await once(child, 'exit');
      receiver.close();
    },
  };
}

const figures = ({ rate, p50, p99, cpuMs }: Round): string =>
  `${rate.toFixed(0)} a second, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, CPU ${cpuMs.toFixed(2)} ms each`;

const sides = [await side('this checkout', process.cwd())];
if (values.against !== undefined) sides.push(await side(values.against, values.against));
const seen = new Map<Side, Round[]>(sides.map((each) => [each, []]));
for (let n = 0; n < rounds; n += 1) {
  for (const each of n % 2 === 0 ? sides : sides.toReversed()) {
    const round = await each.round();
    seen.get(each)?.push(round);
    console.log(`round ${n + 1}, ${each.name}: ${figures(round)}`);
  }
}
for (const [{ name }, all] of seen) {
  const middle = (of: (round: Round) => number) => median(all.map(of));
  const line = {
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    cpuMs: middle(({ cpuMs }) => cpuMs),
  };
  console.log(`${name}, ${events} events at once, median of ${rounds} rounds: ${figures(line)}`);
}
await Promise.all(sides.map((each) => each.end()));
