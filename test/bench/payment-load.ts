import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTOR } from '#lib/local/relay-loop.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import type { Cost, Touch } from '#test/bench/counted-table.ts';
import { ageTotals, type Change, type ProjectorRun, projectorCosts } from '#test/bench/projector-load.ts';
import { type Traffic, watchTraffic } from '#test/bench/traffic.ts';
import { type Line, unitLedger } from '#test/bench/unit-ledger.ts';
import { aPaymentBody, type LogLine, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, aShop, type Shop } from '#test/support/payment-steps.ts';

/** PSPs call back after their response; on this machine they would arrive before the service has stored it. */
const LATE_MS = 400;
const SIDE_BY_SIDE = 8;
const RECEIVER = '/receiver/shop/hook';

export type PaymentLoad = {
  readonly payments: number;
  /** Calls of a payment's request, relay, deliveries and callbacks. */
  readonly lines: readonly Line[];
  /** Calls of the projector, which works in batches, and for how many payments. */
  readonly projector: {
    readonly costs: readonly Cost[];
    readonly payments: number;
    readonly logged: readonly LogLine[];
  };
  /** Waits for the table by function; they overlap if payments run side by side. */
  readonly waits: Readonly<Record<string, number>>;
  /** Of this whole process: the service, the simulated provider, the receiver and the client. */
  readonly cpuMs: number;
  readonly logged: readonly LogLine[];
  readonly traffic: Traffic;
  /** Bodies of the API's responses. */
  readonly responseBytes: number;
};

export type LoadOptions = {
  readonly payments: number;
  readonly projector: ProjectorRun;
  /** Payments at once. */
  readonly sideBySide?: number;
  /** What happens instead of successful payments; `pay` makes so many. */
  readonly play?: (host: TestHost, pay: (times: number) => Promise<void>) => Promise<void>;
};

/**
 * Counts what successful payments of one tenant take: its request, two events delivered, the callbacks, and the
 * projector over faked shards of the stream. The totals have the marks of all those shards before anything is counted.
 */
export async function countPayments(options: LoadOptions): Promise<PaymentLoad> {
  const { projector } = options;
  const changes: Change[] = [];
  const ledger = unitLedger((key, old, next) => {
    if (key.sk === 'PAY') changes.push({ key, ...(old && { old }), ...(next && { new: next }) });
  });
  let bare: TablePort | undefined;
  const wrapTable = (table: TablePort) => {
    bare = table;
    return ledger.through(table);
  };
  const host = await startHost({ wrapTable });
  try {
    const shop = await aListeningShop(host);
    const pay = async (times: number) => void (await payTimes(host, shop, times, SIDE_BY_SIDE));
    await ledger.of(host, () => approved(host, SIDE_BY_SIDE, pay));
    const captured = changes.splice(0);
    if (!bare) throw new Error('The host has no table.');
    await ageTotals(bare, captured, projector.shards);
    const counted = await projectorCosts(bare, captured, projector);
    const payments = counted.changes / (captured.length / SIDE_BY_SIDE);
    return { ...(await countRequests(host, shop, ledger, options)), projector: { ...counted, payments } };
  } finally {
    await host.close();
  }
}

async function countRequests(
  host: TestHost,
  shop: Shop,
  ledger: ReturnType<typeof unitLedger>,
  { payments, sideBySide = SIDE_BY_SIDE, play }: LoadOptions,
): Promise<Omit<PaymentLoad, 'projector'>> {
  const traffic = watchTraffic();
  const [cpu, logged] = [process.cpuUsage(), host.logged.length];
  let responseBytes = 0;
  const { lines, waits } = await ledger.of(host, async () => {
    const pay = async (times: number) => {
      responseBytes = await payTimes(host, shop, times, sideBySide);
    };
    await (play ? play(host, pay) : approved(host, payments, pay));
  });
  const { user, system } = process.cpuUsage(cpu);
  return {
    payments,
    lines: lines.filter(({ group }) => group !== PROJECTOR),
    waits,
    cpuMs: (user + system) / 1_000,
    logged: host.logged.slice(logged),
    traffic: traffic.end(),
    responseBytes,
  };
}

/** A shop that receives all events. */
async function aListeningShop(host: TestHost): Promise<Shop> {
  const shop = await aShop(host, { main: {} });
  const url = host.controlUrl + RECEIVER;
  await host.call('POST', '/v1/webhooks/config', { url, events: ['*'] }, { key: shop.key });
  return shop;
}

async function approved(host: TestHost, times: number, pay: (times: number) => Promise<void>): Promise<void> {
  await arrange(host, 'approve', { webhook: `late:${LATE_MS}`, times });
  await pay(times);
  await pause(LATE_MS * 2);
}

/** Returns the bytes of the responses. */
async function payTimes(host: TestHost, { key }: Shop, times: number, sideBySide: number): Promise<number> {
  let [left, bytes] = [times, 0];
  const client = async () => {
    while (left-- > 0) {
      const body = aPaymentBody('ok', { metadata: { order: '1001' } });
      const { status, text } = await host.call('POST', '/v1/payments', body, { key });
      if (status >= 300) throw new Error(`A payment was answered with ${status}.`);
      bytes += Buffer.byteLength(text);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, client));
  return bytes;
}

/** Units a payment takes from partitions of one kind. */
export type KindLoad = {
  /** The table or an index, and the kind of partition: `table PAY`, `list of an organization`. */
  readonly name: string;
  readonly wru: number;
  readonly rru: number;
  /** Over how many partitions the payments were spread. */
  readonly partitions: number;
  /** The share of the hottest of them. */
  readonly hottest: number;
};

/** Keys without ids and numbers. */
export function kindOf({ resource, pk }: Pick<Touch, 'resource' | 'pk'>): string {
  const [family] = /^[A-Z]+(?=#|$)/.exec(pk) ?? [];
  if (family) return `${resource} ${family}`;
  if (pk.startsWith('org_')) return `${resource} of an organization`;
  return `${resource} ${pk.startsWith('@') ? pk.replace(/#.*/s, '') : 'of a provider'}`;
}

/** The load of one payment by kind of partition, heaviest first. */
export function loadByKind({ lines, payments, projector }: PaymentLoad): readonly KindLoad[] {
  const scaled = (costs: readonly Cost[], by: number): readonly Touch[] =>
    costs.flatMap(({ touches }) => touches).map((each) => ({ ...each, wru: each.wru / by, rru: each.rru / by }));
  const all = [...scaled(lines, payments), ...scaled(projector.costs, projector.payments)];
  const kinds = [...Map.groupBy(all, kindOf)].map(([name, touches]) => {
    const partitions = [...Map.groupBy(touches, ({ pk }) => pk).values()];
    const [wru, rru] = [sumOf(touches, 'wru'), sumOf(touches, 'rru')];
    const shares = partitions.map((own) => Math.max(sumOf(own, 'wru') / (wru || 1), sumOf(own, 'rru') / (rru || 1)));
    return { name, wru, rru, partitions: partitions.length, hottest: Math.max(...shares) };
  });
  return kinds.sort((a, b) => b.wru + b.rru - a.wru - a.rru);
}

const sumOf = (touches: readonly Touch[], unit: 'wru' | 'rru'): number =>
  touches.reduce((sum, touch) => sum + touch[unit], 0);
