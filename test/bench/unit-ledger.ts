import type { Item, Key, TablePort } from '#shared/store/table/table.port.ts';
import { type Cost, countedTable } from '#test/bench/counted-table.ts';
import type { TestHost } from '#test/support/host.ts';

/** A call, and the function that made it. */
export type Line = Cost & { readonly group: string };

/**
 * The calls of one operation with their costs, and the number of sequential waits for the table in each function.
 */
export type Account = { readonly lines: readonly Line[]; readonly waits: Readonly<Record<string, number>> };

type Ledger = {
  readonly through: (table: TablePort) => TablePort;
  /** The cost of all invocations while `work` runs, and of those it leads to. */
  readonly of: (host: TestHost, work: () => Promise<unknown>) => Promise<Account>;
};

/** The calls of the host itself belong to no function and are not counted. `onChange` hears of each changed item. */
export function unitLedger(onChange?: (key: Key, old: Item | undefined, next: Item | undefined) => void): Ledger {
  let lines: Line[] = [];
  let caller: string | undefined;
  return {
    through: (table) =>
      countedTable(
        table,
        () => {
          const group = caller;
          caller = undefined;
          return (cost) => void (group && lines.push({ ...cost, group }));
        },
        onChange,
      ),
    of: async (host, work) => {
      await host.drain();
      lines = [];
      const waits: Record<string, number> = {};
      const running: Record<string, number> = {};
      const stop = host.onCall(({ point, group }, ended) => {
        if (point !== 'table') return;
        // The call itself follows before anything else can happen.
        caller = group;
        if (!running[group]) waits[group] = (waits[group] ?? 0) + 1;
        running[group] = (running[group] ?? 0) + 1;
        void ended.then(() => {
          running[group] = (running[group] ?? 1) - 1;
        });
      });
      await work();
      await host.drain();
      stop();
      return { lines, waits };
    },
  };
}
