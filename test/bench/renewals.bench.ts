import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '#shared/local-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { checkBilled } from '#test/bench/renewals-check.ts';
import { aDayAhead, comes, isAtRest, subscribeAll, untilBilled } from '#test/bench/renewals-due.ts';
import { shops, type WatchedHost, watchedHost } from '#test/bench/renewals-host.ts';
import { idleSweeps } from '#test/bench/renewals-idle.ts';
import { billTable, onlyOf, othersLine } from '#test/bench/renewals-meter.ts';

/**
 * Subscriptions that are due in the same minute, on an unmodified local host: all are charged once. The cost of a
 * renewal is counted by DynamoDB's rules on a few before. Then the cost of a sweep while nothing is due. It fails if
 * anything is missing or duplicate; the rest are figures. `-- 2000 20000`: the number of due subscriptions, and of
 * others.
 */
const [due = '100000', idle = '1000000'] = process.argv.slice(2);
const DUE = Number(due);
const ORGS = 20;
const WEIGHED = { sqlite: Math.min(DUE, 200), dynamodb: 20 };
const TOLD_EVERY_MS = 10_000;
/** Longer than the time until the first lookup of a payment. */
const STILL_MS = 150_000;
/**
 * Messages per renewal: a sweep of a backlog omits entries that are being processed. Below one page it enqueues all
 * of them, so that a few renewals are no measure.
 */
const MAX_SENT = DUE < 20_000 ? Number.POSITIVE_INFINITY : 1.1;
const SWEEP = 'sweep-due';

/** When it is interrupted it still reports its progress, and fails. */
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, n]) => `${name} ${n}`).join(', ') || 'none';

async function onAHost<T>(
  store: Store,
  organizations: number,
  work: (watched: WatchedHost, orgs: readonly string[]) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payfork-renewals-'));
  const watched = await watchedHost({ store, dataDir });
  try {
    return await work(watched, await shops(watched.host, organizations));
  } finally {
    await watched.host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Charges a few with every call measured. */
async function weigh(watched: WatchedHost, orgs: readonly string[], store: Store): Promise<void> {
  const { host, meter, paidAt } = watched;
  const [count, time] = [WEIGHED[store], aDayAhead(host)];
  await subscribeAll(watched, orgs, count, time);
  await host.drain();
  meter.weigh();
  await comes(host, time);
  if ((await untilBilled(watched, count, STILL_MS)) !== 'done')
    throw new Error(`Only ${paidAt.size} of ${count} were billed on ${store}.`);
  const bill = meter.bill();
  console.log(
    `\nA renewal on ${store}, each call weighed (mean of ${count} due at once)\n${billTable(bill, count)}\n  beside: ${othersLine(bill, count)}`,
  );
}

type Sight = { readonly ms: number; readonly paid: number };

/** Prints the progress every ten seconds; `end` returns when all are paid. */
function tell({ paidAt, eventsWritten, sent }: WatchedHost) {
  const [begun, paidBefore, eventsBefore] = [performance.now(), paidAt.size, eventsWritten()];
  let last: Sight = { ms: 0, paid: 0 };
  const look = () => {
    const now: Sight = { ms: performance.now() - begun, paid: paidAt.size - paidBefore };
    const rate = (now.paid - last.paid) / ((now.ms - last.ms) / 1_000);
    const { rss, heapUsed } = process.memoryUsage();
    console.log(
      `  ${seconds(now.ms)} s: ${now.paid} paid (${rate.toFixed(0)}/s), ${eventsWritten() - eventsBefore} events; sent: ${listed(sent)}; ${Math.round(rss / 1e6)} MB, heap ${Math.round(heapUsed / 1e6)} MB`,
    );
    last = now;
  };
  const timer = setInterval(look, TOLD_EVERY_MS);
  return () => {
    clearInterval(timer);
    return { ms: performance.now() - begun, latest: [...paidAt.values()].slice(paidBefore) };
  };
}

async function prepare(watched: WatchedHost, orgs: readonly string[], time: Date): Promise<ReadonlySet<string>> {
  const begun = performance.now();
  const ids = await subscribeAll(watched, orgs, DUE, time);
  console.log(
    `\n${DUE} subscriptions of ${ORGS} organizations, written in ${seconds(performance.now() - begun)} s, all due at ${time.toISOString()}`,
  );
  while (!stop.signal.aborted && !(await isAtRest(watched.host)))
    console.log('  the stream’s followers are still behind');
  watched.meter.weigh([SWEEP]);
  watched.sent.clear();
  return ids;
}

/** Returns what was wrong. */
async function billAll(watched: WatchedHost, orgs: readonly string[]): Promise<readonly string[]> {
  const { host, meter, sent } = watched;
  const time = aDayAhead(host);
  const ids = await prepare(watched, orgs, time);
  const [paid, cpu, end] = [watched.paidAt.size, process.cpuUsage(), tell(watched)];
  await comes(host, time);
  const ended = await untilBilled(watched, paid + DUE, STILL_MS, stop.signal);
  const { ms, latest } = end();
  const { user, system } = process.cpuUsage(cpu);
  const lags = latest.map((at) => at - time.getTime()).sort((a, b) => a - b);
  const last = lags.at(-1) ?? 0;
  const messages = (sent.get('renewals subscription') ?? 0) / DUE;
  console.log(
    `${ended}: ${lags.length} paid after ${seconds(last)} s, ${((lags.length / last) * 1_000).toFixed(0)} renewals a second; ended after ${seconds(ms)} s`,
  );
  console.log(
    `CPU ${((user + system) / 1_000 / lags.length).toFixed(2)} ms a renewal, of the whole process with the simulators in it`,
  );
  console.log(`from due to paid: p50 ${seconds(quantile(lags, 0.5))} s, p95 ${seconds(quantile(lags, 0.95))} s`);
  console.log(`messages that handed a renewal out: ${messages.toFixed(3)} each`);
  console.log(`a renewal's share of the sweeps\n${billTable(onlyOf(meter.bill(), SWEEP), DUE)}`);
  console.log(`warnings: ${listed(watched.warned)}`);
  const { lines, faults } = await checkBilled(watched, orgs, ids);
  for (const line of lines) console.log(line);
  const more = [
    ...(ended === 'done' ? [] : ['it never came to rest']),
    ...(messages < MAX_SENT ? [] : ['too many messages handed renewals out']),
  ];
  return [...faults, ...more, ...(await leftOver(watched))];
}

async function leftOver({ host: { deps, queue } }: WatchedHost): Promise<readonly string[]> {
  const dead = (await Promise.all(QUEUES.map((name) => queue.deadLetters(name)))).flat();
  const still = (await Promise.all(deps.due.shards.map((shard) => deps.due.due(shard, deps.clock.now(), 1)))).flat();
  return [
    ...(dead.length > 0 ? [`${dead.length} dead letters`] : []),
    ...(still.length > 0 ? ['something is due, and nobody does it'] : []),
  ];
}

await onAHost('dynamodb', 1, (watched, orgs) => weigh(watched, orgs, 'dynamodb'));
const faults = await onAHost('sqlite', ORGS, async (watched, orgs) => {
  await weigh(watched, orgs, 'sqlite');
  return billAll(watched, orgs);
});
for (const fault of faults) console.log(`WRONG: ${fault}`);
console.log(faults.length === 0 ? 'Each was billed once, and nothing is missing.' : 'It is not as it should be.');
if (!stop.signal.aborted) await idleSweeps(Number(idle));
if (faults.length > 0) process.exitCode = 1;
