import type { DueItem } from '#shared/ports/due.port.ts';

export type HandedOut = (item: DueItem) => boolean;

/** Entries that recent sweeps of a large backlog handed out, so that the next one skips them. */
export interface SweepsPort {
  note(shard: string, items: readonly DueItem[], at: Date): Promise<void>;
  /** Everything noted between the two times. */
  handedOut(shard: string, after: Date, before: Date): Promise<HandedOut>;
}
