import type { Announcing } from '#shared/domain/payments/outbox.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { itemSize, MAX_ITEM_BYTES } from '#shared/store/size.rules.ts';

/**
 * How far requests may grow a record. The rest is reserved for what must be written: how it ended, and what is owed
 * then.
 */
const MOST_ASKED_BYTES = 300_000;

/**
 * How far requests may grow its JSON: answers are stored as text in an item of their own, where a control character
 * takes six bytes and not one. The rest is for the outcome, which is part of the answer.
 */
const MOST_TOLD_BYTES = 350_000;

/** A write adds its nonce to the measured size. */
export const MOST_BYTES = MAX_ITEM_BYTES - 1_024;

/** The relay is back within seconds, or out for longer. */
const AGAIN_IN = 5;

type Carrying = Pick<Announcing, 'outbox' | 'announced'>;

/** Refuses an item that would become too large. Runs before any write, and so before any provider is called. */
export type NeedRoom<T> = (item: Item, after: T, before: T | undefined) => void;

/** `adds`: whether the change is a request, which can be made again later (docs/adr/0026). */
export const roomFor =
  <T extends Carrying>(name: string, adds: (before: T, after: T) => boolean): NeedRoom<T> =>
  (item, after, before) => {
    const isAsked = !before || adds(before, after);
    const most = isAsked ? MOST_ASKED_BYTES : MOST_BYTES;
    const size = itemSize(item);
    const isTooLong = isAsked && toldSize(item) > MOST_TOLD_BYTES;
    if (size <= most && !isTooLong) return;
    if (!before)
      throw new AppError(
        'body_too_large',
        `That is more than a ${name} can hold. Send less metadata, or fewer tokens.`,
      );
    if (isTooLong || size - waitingSize(after, before) > most)
      throw new AppError('record_full', `The ${name} can't hold that much more.`);
    throw new AppError('events_waiting', `The ${name} has too much waiting to be passed on. Please try again.`, {
      retryAfter: AGAIN_IN,
    });
  };

/** Events are not part of the answer. */
const toldSize = ({ outbox: _, ...item }: Item): number => Buffer.byteLength(JSON.stringify(item));

/** The size of earlier events, which the relay will remove. They may have been edited since. */
function waitingSize({ outbox, announced }: Carrying, before: Carrying): number {
  const waiting = outbox.slice(0, outbox.length - (announced - before.announced));
  return itemSize({ outbox: waiting as unknown as Item[] });
}
