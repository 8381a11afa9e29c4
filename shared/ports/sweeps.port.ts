import type { DueItem } from '#shared/ports/stores.port.ts';

export type HandedOut = (item: DueItem) => boolean;

/** What sweeps of a large backlog have handed out lately, so that the next one does not hand it out again. */
export interface SweepsPort {
  note(shard: string, items: readonly DueItem[], at: Date): Promise<void>;
  /** Of everything noted after the one time and before the other. */
  handedOut(shard: string, after: Date, before: Date): Promise<HandedOut>;
}
