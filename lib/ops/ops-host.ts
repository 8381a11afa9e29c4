import type { Deps } from '#shared/ports/deps.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** What commands do not do: they send nothing but dead letters, mail nobody, call no endpoint and show no pages. */
type Unused = 'queue' | 'bus' | 'mail' | 'webhookHttp' | 'ownApi' | 'dashboardFiles' | 'referenceFiles';

export type OpsDeps = Omit<Deps, Unused>;

/** Messages that failed too often, by the name of their queue. */
export interface DeadLetters {
  readonly names: readonly string[];
  count(name: string): Promise<number>;
  /** Sends all of them back to where they came from. Returns what was done. */
  redrive(name: string): Promise<string>;
}

/** Where commands work: a stage on AWS, or this machine's data folder. */
export type OpsHost = {
  readonly deps: OpsDeps;
  readonly table: TablePort;
  readonly deadLetters: DeadLetters;
  readonly close: () => Promise<void>;
};

/** What a command prints. */
export type OpsResult = { readonly text: string; readonly data: unknown };
