import { COMMITTED, type PriceName, USED_SHARE, usd } from '#test/bench/cost/prices.ts';
import type { Usage } from '#test/bench/cost/usage.ts';

/** What no machine of ours can count, and how busy a stage is. */
export const ASSUMED = {
  /** A provider's response to a charge. */
  pspMs: 500,
  /** A response of the table, of the bus. */
  tableMs: 5,
  busMs: 15,
  /** The slowest of the endpoints that share an invocation. */
  receiverMs: 150,
  /** Messages, or changes of the stream, that share an invocation on a busy stage. */
  batch: 10,
  /** The same for the projector: Lambda looks at a shard four times a second, and the projector's batch takes a second. */
  projected: 40,
  /** Shards of the stream that are counted. */
  shards: 4,
  /** Changes of the table that a payment makes. */
  changes: 3,
  /** A line of API Gateway's access log. */
  accessLogBytes: 430,
  /** Payments for which a data key stays in memory. */
  paymentsPerKeyCall: 300,
  /** Of the table for a payment, its events and its index entries. */
  tableGbPerMillion: 3.5,
};

/** Lambda gives this memory a whole processor, and less memory its share: so a millisecond of it costs as much anywhere. */
const PROCESSOR_GB = 1_769 / 1_024;
const GB = 1_000_000_000;
const MILLION = 1_000_000;

export type CostLine = {
  readonly of: string;
  readonly counted: string;
  readonly usd: number;
  /** With capacity of the table and Lambda's time committed for a year. */
  readonly committed: number;
};

type Payment = Usage & {
  readonly platformLogBytes: number;
  /** Messages, or changes of the stream, that share an invocation and its requests to the queue. */
  readonly batch: number;
};

/** USD for a million payments, line by line. */
export function costLines(counted: Omit<Payment, 'batch'>, batch = ASSUMED.batch): readonly CostLine[] {
  const usage = { ...counted, batch };
  return [...tableLines(usage), ...computeLines(usage), ...messageLines(usage), ...otherLines(usage)];
}

export const totalOf = (lines: readonly CostLine[]): { readonly usd: number; readonly committed: number } => ({
  usd: lines.reduce((sum, line) => sum + line.usd, 0),
  committed: lines.reduce((sum, line) => sum + line.committed, 0),
});

const line = (of: string, counted: string, price: PriceName, amount: number): CostLine => {
  const sum = usd(price, amount * MILLION);
  return { of, counted, usd: sum, committed: sum };
};

/** On provisioned capacity each unit is paid for an hour, whether it is used or not. */
const provisioned = (hour: PriceName, units: number): number =>
  (usd(hour, (units * MILLION) / 3_600) / USED_SHARE) * (1 - COMMITTED.table);

const tableLines = ({ wru, rru }: Payment): readonly CostLine[] => [
  { ...line('table, writes', `${wru} units`, 'wru', wru), committed: provisioned('wcuHour', wru) },
  { ...line('table, reads', `${rru} units`, 'rru', rru), committed: provisioned('rcuHour', rru) },
];

/** GB-milliseconds that functions wait, by what they wait for. */
export function waitingGbMs({ memoryGb, waits, messages, batch }: Payment): Readonly<Record<string, number>> {
  const { pspMs, tableMs, busMs, receiverMs, changes } = ASSUMED;
  const gb = (name: string) => memoryGb[name] ?? 0;
  const table = (name: string) => (waits[name] ?? 0) * tableMs;
  const shared = (name: string, ms: number, items: number) => (gb(name) * ms * items) / batch;
  return {
    payments: gb('payments') * (pspMs + table('payments')),
    callbacks: gb('psp-webhooks') * table('psp-webhooks'),
    deliveries: shared('webhook-delivery', receiverMs + tableMs, messages.deliveries),
    workflows: shared('workflow-runs', tableMs * 2, messages.workflows),
    streams:
      shared('relay', busMs + table('relay'), changes) +
      (gb('projector') * table('projector') * changes) / projectedWith(batch),
  };
}

/** A payment now and then has its changes within the second that the projector waits. */
const projectedWith = (batch: number): number => Math.max(ASSUMED.changes, (batch * ASSUMED.projected) / ASSUMED.batch);

export const invocationsOf = ({ callbacks, messages, batch }: Payment): number =>
  1 +
  callbacks +
  (messages.deliveries + messages.workflows + ASSUMED.changes) / batch +
  ASSUMED.changes / projectedWith(batch);

function computeLines(usage: Payment): readonly CostLine[] {
  const waiting = waitingGbMs(usage);
  const gbSeconds = (of: string, counted: string, gbMs: number) => {
    const made = line(of, counted, 'gbSecond', gbMs / 1_000);
    return { ...made, committed: made.usd * (1 - COMMITTED.lambda) };
  };
  const invocations = invocationsOf(usage);
  return [
    gbSeconds(
      "the payment's function, waiting",
      `${usage.memoryGb.payments} GB, ${ASSUMED.pspMs} ms for the provider and ${usage.waits.payments} waits for the table`,
      waiting.payments ?? 0,
    ),
    gbSeconds(
      'the other functions, waiting',
      `${usage.batch} messages or changes share an invocation`,
      Object.values(waiting).reduce((sum, ms) => sum + ms, 0) - (waiting.payments ?? 0),
    ),
    gbSeconds('all functions, computing', `at most ${usage.cpuMs} ms of a processor`, usage.cpuMs * PROCESSOR_GB),
    line('invocations', text(invocations), 'invocation', invocations),
  ];
}

function messageLines({ messages, batch }: Payment): readonly CostLine[] {
  const sent = messages.deliveries + messages.workflows;
  // The bus sends each message alone; a batch is received and deleted by one request each.
  const requests = sent * (1 + 2 / batch);
  return [
    line('HTTP API', '1 request; callbacks use the function URL, which is free', 'httpRequest', 1),
    line('bus', `${messages.deliveries} events`, 'busEvent', messages.deliveries),
    line('queues', `${sent} messages, ${text(requests)} requests`, 'queueRequest', requests),
  ];
}

function otherLines(usage: Payment): readonly CostLine[] {
  const { logBytes, outBytes, platformLogBytes } = usage;
  const platform = platformLogBytes * invocationsOf(usage);
  const logs = logBytes + ASSUMED.accessLogBytes + platform;
  return [
    line('logs, metrics among them', `${text(logs / 1_000)} KB`, 'logGb', logs / GB),
    line('data out', `${text(outBytes / 1_000)} KB`, 'outGb', outBytes / GB),
    line('KMS', `a call for ${ASSUMED.paymentsPerKeyCall} payments`, 'keyCall', 1 / ASSUMED.paymentsPerKeyCall),
  ];
}

const text = (n: number): string => String(Math.round(n * 10) / 10);
