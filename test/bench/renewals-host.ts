import type { LocalHostOptions } from '#lib/local/local-host.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { type Meter, renewalsMeter } from '#test/bench/renewals-meter.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { aShop } from '#test/support/payment-steps.ts';

/** A host whose renewals are observed: its writes with their times, its queue messages and its warnings. */
export type WatchedHost = {
  readonly host: TestHost;
  /** Without counters. */
  readonly bare: TablePort;
  readonly meter: Meter;
  /** The time at which each invoice was first written as paid, by the service's clock. */
  readonly paidAt: ReadonlyMap<string, number>;
  readonly eventsWritten: () => number;
  /** The number of messages sent to each queue, by kind. */
  readonly sent: Map<string, number>;
  readonly warned: ReadonlyMap<string, number>;
};

export async function watchedHost(options: Partial<LocalHostOptions>): Promise<WatchedHost> {
  const meter = renewalsMeter();
  const [paidAt, sent, warned] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  let bare: TablePort | undefined;
  let events = 0;
  const saw = (item: Item) => {
    if (item.item_type === 'event') events += 1;
    if (item.item_type === 'invoice' && item.status === 'paid' && !paidAt.has(String(item.id)))
      paidAt.set(String(item.id), host.clock.now().getTime());
  };
  const host = await startHost({
    ...options,
    log: { info: () => undefined, warn: (event) => count(warned, event), error: (event) => count(warned, event) },
    wrapTable: (table) => {
      bare = table;
      return meter.through(seeing(table, saw));
    },
  });
  host.onCall(meter.listen);
  // These are the same dependencies that the functions get.
  const { queue } = host.deps;
  Object.assign(host.deps, {
    queue: {
      send: (name: string, messages: Parameters<typeof queue.send>[1]) => {
        for (const { body } of messages) count(sent, `${name} ${body.kind ?? ''}`.trim());
        return queue.send(name as Parameters<typeof queue.send>[0], messages);
      },
    },
  });
  if (!bare) throw new Error('The host has no table.');
  return { host, bare, meter, paidAt, eventsWritten: () => events, sent, warned };
}

const seeing = (table: TablePort, saw: (item: Item) => void): TablePort =>
  changed(table, {
    put: async (item, condition) => {
      const written = await table.put(item, condition);
      if (written.ok) saw(item);
      return written;
    },
  });

/** Each with one connection and no webhook endpoint. */
export async function shops(host: TestHost, count: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await aShop(host, { main: {} })).org_id);
  return made;
}
