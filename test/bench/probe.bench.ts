import { bootstrapProbe } from '#functions/platform/bootstrap-probe.usecase.ts';
import { runProbe } from '#functions/probe/run-probe.usecase.ts';
import { FUNCTIONS, type FunctionName } from '#lib/aws/function-table.ts';
import { usd } from '#test/bench/cost/prices.ts';
import { costOf } from '#test/bench/counted-table.ts';
import { unitLedger } from '#test/bench/unit-ledger.ts';
import { startHost } from '#test/support/host.ts';

/**
 * What the probe costs a month on live, where it runs each minute: the units, requests, events and messages of one run
 * are counted on a local host. Times are assumed: `WAITS_MS` from the first request until the event arrived, `WORKS_MS`
 * for each other invocation.
 */
const RUNS = 30 * 24 * 60;
const WAITS_MS = 2_500;
const WORKS_MS = 60;
const LOG_BYTES = 400;

const ledger = unitLedger();
const host = await startHost({ demoProviders: [], wrapTable: ledger.through });
await bootstrapProbe({ newKey: false }, host.deps);
// The first run also sets the webhook up.
await runProbe(host.deps, 500);
await host.drain();
const linesBefore = host.logged.length;
const { lines } = await ledger.of(host, () => runProbe(host.deps, 500));
const logged = host.logged.slice(linesBefore);
const requests = logged.filter(({ event }) => event === 'request_completed').length;
const groups = lines.map(({ group }) => group);
const invocations = [...new Set(groups)].filter((group) => group in FUNCTIONS) as FunctionName[];
const [wru, rru] = [lines.reduce((sum, line) => sum + costOf(line), 0), lines.reduce((sum, { rru: r }) => sum + r, 0)];
await host.close();

const gbSeconds = (ms: number, megabytes: number): number => (ms / 1_000) * (megabytes / 1_024);
const rows: readonly (readonly [what: string, count: number, usdOfRun: number])[] = [
  ['write units', wru, usd('wru', wru)],
  ['read units', rru, usd('rru', rru)],
  ['requests of the API', requests, usd('httpRequest', requests)],
  ['calls of the Scheduler', 1, usd('schedule', 1)],
  ['events on the bus', 2, usd('busEvent', 2)],
  ['requests of queues: send, receive and delete for two queues', 8, usd('queueRequest', 8)],
  ['invocations', requests + 6, usd('invocation', requests + 6)],
  [
    'GB-seconds of the probe',
    gbSeconds(WAITS_MS, FUNCTIONS.probe.memoryMb),
    usd('gbSecond', gbSeconds(WAITS_MS, FUNCTIONS.probe.memoryMb)),
  ],
  [
    'GB-seconds of the others',
    gbSeconds(WORKS_MS * (requests + 5), 640),
    usd('gbSecond', gbSeconds(WORKS_MS * (requests + 5), 640)),
  ],
  ['log lines', logged.length, usd('logGb', (logged.length * LOG_BYTES) / 1e9)],
];
console.log(`One run of the probe (${invocations.join(', ')}), and what ${RUNS.toLocaleString('en')} of them cost:`);
for (const [what, count, cost] of rows)
  console.log(`${what.padEnd(64)}${count.toFixed(2).padStart(9)}${(cost * RUNS).toFixed(3).padStart(9)} USD`);
const sum = rows.reduce((all, [, , cost]) => all + cost, 0) * RUNS;
console.log(`${'a month'.padEnd(73)}${sum.toFixed(3).padStart(9)} USD`);
process.exit(0);
