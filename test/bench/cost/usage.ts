import { FUNCTIONS, type FunctionName } from '#lib/aws/function-table.ts';
import { cloudWatchLog } from '#shared/adapters/aws/cloudwatch-log.adapter.ts';
import { inLogContext, requestIdOf } from '#shared/kernel/operation.ts';
import { ASSUMED } from '#test/bench/cost/model.ts';
import { type Cost, costOf } from '#test/bench/counted-table.ts';
import { countPayments } from '#test/bench/payment-load.ts';
import type { LogLine } from '#test/support/host.ts';

/** What is counted of one payment: created, succeeded, two events delivered, callbacks. */
export type Usage = {
  readonly wru: number;
  readonly rru: number;
  /** The same without the projector. */
  readonly apart: { readonly wru: number; readonly rru: number };
  readonly callbacks: number;
  /** Messages of each queue. */
  readonly messages: { readonly deliveries: number; readonly workflows: number };
  /** Waits for the table, one after the other, by function. */
  readonly waits: Readonly<Record<string, number>>;
  readonly memoryGb: Readonly<Record<string, number>>;
  /** Of all functions together, on this machine, the simulated provider and the receiver included: at most so much. */
  readonly cpuMs: number;
  readonly logBytes: number;
  readonly outBytes: number;
};

/** The projector at the load of a busy stage. */
const STREAM = { shards: ASSUMED.shards, batch: ASSUMED.projected, rounds: 5 };
const PAYMENTS = 24;
/** The functions that a payment passes. */
const ON_THE_WAY = [
  'payments',
  'relay',
  'projector',
  'webhook-delivery',
  'workflow-runs',
  'psp-webhooks',
] as const satisfies readonly FunctionName[];
/** Of a response of the API, with those that API Gateway adds. */
const RESPONSE_HEADERS = 900;

export async function countUsage(payments = PAYMENTS): Promise<Usage> {
  const load = await countPayments({ payments, sideBySide: 1, projector: STREAM });
  const { projector } = load;
  const { callbacks, deliveries, pspCalls } = load.traffic;
  const each = (n: number) => round(n / load.payments);
  const workflows = load.lines.some(({ group }) => group === 'workflow-runs') ? deliveries.requests : 0;
  const apart = { wru: sum(load.lines.map(costOf)) / load.payments, rru: sum(load.lines.map(rruOf)) / load.payments };
  return {
    wru: round(apart.wru + sum(projector.costs.map(costOf)) / projector.payments),
    rru: round(apart.rru + sum(projector.costs.map(rruOf)) / projector.payments),
    apart: { wru: round(apart.wru), rru: round(apart.rru) },
    callbacks: each(callbacks.requests),
    messages: { deliveries: each(deliveries.requests), workflows: each(workflows) },
    waits: Object.fromEntries(Object.entries(load.waits).map(([group, waits]) => [group, each(waits)])),
    memoryGb: Object.fromEntries(ON_THE_WAY.map((name) => [name, FUNCTIONS[name].memoryMb / 1_024])),
    cpuMs: each(load.cpuMs),
    logBytes: Math.round(
      bytesOf(load.logged.filter(isNotProjected), ASSUMED.batch) / load.payments +
        bytesOf(projector.logged, ASSUMED.projected / ASSUMED.changes) / projector.payments,
    ),
    outBytes: Math.round((load.responseBytes + deliveries.bytes + pspCalls.bytes) / load.payments + RESPONSE_HEADERS),
  };
}

/** The projector of the host has smaller batches than that of a busy stage. */
const isNotProjected = ({ event }: LogLine): boolean => event !== 'psp_called' && event !== 'payment_settled';

const rruOf = ({ rru }: Cost): number => rru;

/** As CloudWatch gets them, with the metrics of invocations that each have so many lines of a kind. */
function bytesOf(lines: readonly LogLine[], together: number): number {
  let bytes = 0;
  const write = (line: string) => {
    bytes += Buffer.byteLength(line);
  };
  const log = cloudWatchLog({ stage: 'live', out: { write } });
  log.begin(INVOCATION);
  for (const alike of Map.groupBy(lines, ({ event }) => event).values())
    for (const [n, { level, event, fields }] of alike.entries()) {
      inLogContext(CAUSE, () => log[level](event, fields));
      if ((n + 1) % Math.round(together) === 0) log.end();
    }
  log.end();
  return bytes;
}

/** Every line names the request that has caused it. */
const CAUSE = { request_id: requestIdOf('JKJaXmPLvHcESHA=', new Date(0)), trace_id: '0'.repeat(32) };

const INVOCATION = { awsRequestId: '00000000-0000-4000-8000-000000000000' };

const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);
const round = (n: number): number => Math.round(n * 100) / 100;
