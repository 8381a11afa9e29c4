import type { OutboxOwner } from '#shared/domain/payments/outbox.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { itemSize, MAX_ITEM_BYTES, sizeBound } from '#shared/store/table/item.rules.ts';
import type { Item } from '#shared/store/table/table.port.ts';

/**
 * How far requests may grow a record. The rest is reserved for what must be written in any case: the outcome, and the
 * refunds that it calls for.
 */
const MAX_REQUESTED_BYTES = 300_000;

/**
 * How far requests may grow its JSON: responses are stored as text in an item of their own, where a control character
 * takes six bytes and not one. The rest is for the outcome, which is part of the response.
 */
const MAX_RESPONSE_BYTES = 350_000;

/**
 * JSON takes at most so many bytes for one byte of an item: a control character takes six. Most items are far smaller.
 */
const MAX_JSON_GROWTH = 8;

/** A write adds its nonce to the measured size. */
export const MAX_RECORD_BYTES = MAX_ITEM_BYTES - 1_024;

/** The relay catches up within seconds, or is down for longer. */
const RETRY_AFTER_SECONDS = 5;

type OutboxFields = Pick<OutboxOwner, 'outbox' | 'announced'>;

/** Throws if the item would become too large. Runs before any write, and so before any provider is called. */
export type AssertFits<T> = (item: Item, after: T, before: T | undefined) => void;

/** `adds`: whether the change is a request, which can be made again later (docs/adr/0026). */
export const itemSizeGuard =
  <T extends OutboxFields>(name: string, adds: (before: T, after: T) => boolean): AssertFits<T> =>
  (item, after, before) => {
    if (sizeBound(item) * MAX_JSON_GROWTH <= MAX_RESPONSE_BYTES) return;
    const size = itemSize(item);
    if (size * MAX_JSON_GROWTH <= MAX_RESPONSE_BYTES) return;
    const isRequest = !before || adds(before, after);
    const max = isRequest ? MAX_REQUESTED_BYTES : MAX_RECORD_BYTES;
    const isResponseTooLarge = isRequest && responseSize(item) > MAX_RESPONSE_BYTES;
    if (size <= max && !isResponseTooLarge) return;
    if (!before)
      throw new AppError('body_too_large', `This ${name} is too large. Send less metadata, or shorter tokens.`);
    if (isResponseTooLarge || size - pendingEventsSize(after, before) > max)
      throw new AppError('record_full', `This ${name} is full: it cannot hold this change.`);
    throw new AppError(
      'events_waiting',
      `This ${name} has too many undelivered events. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  };

/** Events are not part of the response. */
const responseSize = ({ outbox: _, ...item }: Item): number => Buffer.byteLength(JSON.stringify(item));

/** The size of earlier events, which the relay will remove. They may have been edited since. */
function pendingEventsSize({ outbox, announced }: OutboxFields, before: OutboxFields): number {
  const pending = outbox.slice(0, outbox.length - (announced - before.announced));
  return itemSize({ outbox: pending as unknown as Item[] });
}
