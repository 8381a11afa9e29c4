import type { TablePort } from '#shared/store/table/table.port.ts';
import { type Cost, countedTable } from '#test/bench/counted-table.ts';
import type { TestHost } from '#test/support/host.ts';

/** A call, and the function that made it. */
export type Line = Cost & { readonly group: string };

/** What one operation led to: the calls with their costs, and how often each function waited for the table in a row. */
export type Account = { readonly lines: readonly Line[]; readonly waits: Readonly<Record<string, number>> };

type Ledger = {
  readonly through: (table: TablePort) => TablePort;
  /** Everything that invocations cost while `work` runs, and what it led to. */
  readonly of: (host: TestHost, work: () => Promise<unknown>) => Promise<Account>;
};

/** The calls of the host itself belong to nobody and are not counted. */
export function unitLedger(): Ledger {
  let lines: Line[] = [];
  let caller: string | undefined;
  return {
    through: (table) =>
      countedTable(table, () => {
        const group = caller;
        caller = undefined;
        return (cost) => void (group && lines.push({ ...cost, group }));
      }),
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
