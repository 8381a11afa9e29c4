import type { Announcing } from '#shared/domain/outbox.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { itemSize, MAX_ITEM_BYTES } from '#shared/store/size.rules.ts';

/** How far a record grows by what is asked for. The rest is for what is written whatever comes: how it ended, and what is owed then. */
const MOST_ASKED_BYTES = 300_000;

/** A write adds its nonce to what is measured here. */
export const MOST_BYTES = MAX_ITEM_BYTES - 1_024;

/** The relay is back within seconds, or away for longer. */
const AGAIN_IN = 5;

type Carrying = Pick<Announcing, 'outbox' | 'announced'>;

/** Refuses the item that a write would leave where it is too large. It comes before any write, and so before any provider hears of it. */
export type NeedRoom<T> = (item: Item, after: T, before: T | undefined) => void;

/** `adds`: whether somebody asks for the change, who can ask again later (docs/adr/0026). */
export const roomFor =
  <T extends Carrying>(name: string, adds: (before: T, after: T) => boolean): NeedRoom<T> =>
  (item, after, before) => {
    const most = !before || adds(before, after) ? MOST_ASKED_BYTES : MOST_BYTES;
    const size = itemSize(item);
    if (size <= most) return;
    if (!before) throw new AppError('body_too_large', `That is more than a ${name} can hold. Send less metadata, or fewer tokens.`);
    if (size - waitingSize(after, before) > most) throw new AppError('record_full', `The ${name} can't hold that much more.`);
    throw new AppError('events_waiting', `The ${name} has too much waiting to be passed on. Please try again.`, { retryAfter: AGAIN_IN });
  };

/** Of the events that have been waiting: what the relay takes away by and by. They may have been written to since. */
function waitingSize({ outbox, announced }: Carrying, before: Carrying): number {
  const waiting = outbox.slice(0, outbox.length - (announced - before.announced));
  return itemSize({ outbox: waiting as unknown as Item[] });
}
