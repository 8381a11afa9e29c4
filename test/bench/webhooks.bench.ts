import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '#test/bench/paired-times.ts';
import { fastReceiver, silentReceivers } from '#test/bench/webhooks-receivers.ts';
import { aListener, change, changeAll, paced, until } from '#test/bench/webhooks-traffic.ts';
import { startHost } from '#test/support/host.ts';

/**
 * Events to a fast endpoint, on one host with its data in files, over loopback: how many a second, and how long one
 * takes from the write that announces it to its receipt: alone, next to one organization with a thousand events for
 * an endpoint that never responds, and next to a thousand organizations with such endpoints. The three in turn,
 * repeatedly, so that slowdowns of the machine affect them alike. It fails if, in the median of the rounds, silent
 * endpoints make the p95 longer by more than a fifth. `-- 45 3 1000`: seconds of each block, rounds, and number of
 * silent endpoints.
 */
const [seconds = 45, rounds = 3, dead = 1_000] = process.argv.slice(2).map(Number);
const A_SECOND = 20;
const MANY = 5_000;
const MAX_RATIO = 1.2;

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
const QUANTILES = [0.5, 0.95, 0.99];

const dataDir = await mkdtemp(join(tmpdir(), 'payfork-webhooks-'));
const warned = new Map<string, number>();
const count = (event: string) => void warned.set(event, (warned.get(event) ?? 0) + 1);
const host = await startHost({ dataDir, store: 'sqlite', log: { info: () => undefined, warn: count, error: count } });
const [fast, silent] = [await fastReceiver(), await silentReceivers()];

const quick = await aListener(host, fast.url);

async function listeners(count: number): Promise<readonly string[]> {
  const made: string[] = [];
  while (made.length < count) made.push(await aListener(host, silent.url));
  return made;
}

async function throughput(): Promise<string> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const ids = await changeAll(
    host,
    Array.from({ length: MANY }, () => quick),
  );
  const stored = performance.now() - begun;
  await until(() => ids.every((id) => fast.arrived.has(id)), 'events that came all at once');
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return `${MANY} events of one organization: stored within ${(stored / 1_000).toFixed(1)} s, delivered within ${(ms / 1_000).toFixed(1)} s, ${((MANY / ms) * 1_000).toFixed(0)} a second; CPU ${((user + system) / 1_000 / MANY).toFixed(2)} ms each, receiver and all`;
}

/**
 * The whole backlog is delivered: silent endpoints respond now. The next block has other ones, as these are known to
 * be fast.
 */
async function settle(): Promise<void> {
  silent.answer(true);
  await until(
    async () => host.queue.countInFlight() === 0 && (await host.queue.nextVisibleAt()) === undefined,
    'the silent ones’ events',
  );
  await host.drain();
  silent.answer(false);
}

/** Organizations with silent endpoints, new in each block. */
const BLOCKS: readonly (readonly [name: string, dead: () => Promise<readonly string[]>])[] = [
  ['alone', async () => []],
  [
    `beside one with ${dead} events that nobody answers`,
    async () => (await listeners(1)).flatMap((org) => Array.from({ length: dead }, () => org)),
  ],
  [
    `beside ${dead} with one or two each that nobody answers`,
    async () => (await listeners(dead)).flatMap((org, n) => (n % 2 ? [org] : [org, org])),
  ],
];
const times = new Map<string, number[]>(BLOCKS.map(([name]) => [name, []]));
const p95s = new Map<string, number[]>(BLOCKS.map(([name]) => [name, []]));
const owed = async () => host.queue.countInFlight() + (await host.queue.countReady(host.clock.now()));

async function block([name, make]: (typeof BLOCKS)[number]): Promise<void> {
  const [orgs, called] = [await make(), silent.called()];
  await changeAll(host, orgs);
  // Everything so far costs the same wherever a thousand events go. The silence starts now.
  const most = Math.max(0, orgs.length - silent.called() + called);
  await until(async () => (await owed()) >= most, 'the silent ones’ events to be passed on');
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const got = await paced(host, quick, fast.arrived, { seconds, aSecond: A_SECOND });
  const { user, system } = process.cpuUsage(cpu);
  times.get(name)?.push(...got);
  const sorted = got.toSorted((a, b) => a - b);
  p95s.get(name)?.push(quantile(sorted, 0.95));
  const figures = QUANTILES.map((q) => `p${q * 100} ${quantile(sorted, q).toFixed(1)}`).join(', ');
  const busy = ((user + system) / 10 / (performance.now() - begun)).toFixed(0);
  console.log(
    `  ${name}: ${figures} ms; CPU ${busy} %; ${silent.called() - called} calls to silent receivers, ${silent.waiting()} wait at the end`,
  );
  await settle();
}

try {
  for (let n = 0; n < 50; n += 1) await change(host, quick);
  await host.drain();
  console.log(await throughput());
  for (let round = 0; round < rounds; round += 1) {
    console.log(`round ${round + 1}: ${A_SECOND} changes a second for ${seconds} s each`);
    for (const each of round % 2 === 0 ? BLOCKS : BLOCKS.toReversed()) await block(each);
  }
  for (const [name] of BLOCKS) {
    const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
    console.log(
      `${name}, ${sorted.length} events: ${QUANTILES.map((q) => `p${q * 100} ${quantile(sorted, q).toFixed(1)} ms`).join(', ')}`,
    );
  }
  const [alone = [], ...beside] = BLOCKS.map(([name]) => p95s.get(name) ?? []);
  const ratios = beside.map((own) => median(own.map((p95, round) => p95 / (alone[round] ?? 0))));
  for (const [n, ratio] of ratios.entries())
    console.log(`p95 ${BLOCKS[n + 1]?.[0]}: ${ratio.toFixed(2)} times what it is alone, in the median of the rounds`);
  console.log(`warnings: ${[...warned].map(([event, n]) => `${event} ${n}`).join(', ') || 'none'}`);
  if (ratios.some((ratio) => ratio > MAX_RATIO)) {
    console.log(`Dead receivers slow others by more than ${MAX_RATIO}.`);
    process.exitCode = 1;
  }
} finally {
  silent.close();
  fast.close();
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
}
