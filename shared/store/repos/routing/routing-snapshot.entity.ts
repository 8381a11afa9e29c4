import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RoutingSnapshot } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { keys } from '#shared/store/keys.ts';
import type { Condition, Item, Write } from '#shared/store/table/table.port.ts';

/** A read unit is 4 KB: a text that fits into one, with the rest of its item, gains nothing from compression. */
const MAX_PLAIN_BYTES = 3_700;

/**
 * Larger than any setup may become. One of an older release may be larger still: no snapshot of it is stored, and
 * payments read its items. Sixteen copies of this size fit into one transaction.
 */
const MAX_STORED_BYTES = 200_000;

/** A snapshot as text, the whole of it in one attribute. */
export type EncodedSnapshot = {
  readonly text: string;
  readonly isCompressed: boolean;
  readonly bytes: number;
  /** Of the text before it was compressed. */
  readonly plainBytes: number;
};

export function encodeSnapshot(snapshot: RoutingSnapshot): EncodedSnapshot {
  const plain = JSON.stringify(snapshot);
  const plainBytes = Buffer.byteLength(plain);
  if (plainBytes <= MAX_PLAIN_BYTES) return { text: plain, isCompressed: false, bytes: plainBytes, plainBytes };
  const text = deflateRawSync(plain).toString('base64');
  return { text, isCompressed: true, bytes: text.length, plainBytes };
}

export function decodeSnapshot({ text, is_compressed }: Item): RoutingSnapshot {
  const encoded = String(text);
  return JSON.parse(is_compressed ? inflateRawSync(Buffer.from(encoded, 'base64')).toString('utf8') : encoded);
}

/** What is known of the stored snapshot: its version, and the number of its copies. */
export type SnapshotVersion = { readonly version: number; readonly copies: number };

export const versionOf = (item: Item | undefined): SnapshotVersion | undefined =>
  item && { version: Number(item.version), copies: Number(item.copies) };

/**
 * The writes of a new snapshot, for the transaction of what changes it. The condition on the first copy covers all:
 * they are only ever written together.
 */
export function snapshotWrites(
  orgId: string,
  before: SnapshotVersion | undefined,
  { text, isCompressed, bytes }: EncodedSnapshot,
  copies: number,
): readonly Write[] {
  const content: Omit<Item, 'pk' | 'sk'> = bytes <= MAX_STORED_BYTES ? { text, is_compressed: isCompressed } : {};
  const version = (before?.version ?? 0) + 1;
  const condition: Condition = before ? { eq: ['version', before.version] } : { absent: 'pk' };
  const checked_at = systemClock.now().getTime();
  const numbers = Array.from({ length: Math.max(copies, before?.copies ?? 1) }, (_, n) => n);
  return numbers.map((n): Write => {
    const key = keys.routingSnapshot(orgId, n);
    if (n >= copies) return { delete: key };
    const item: Item = { ...key, item_type: 'routing_snapshot', version, copies, checked_at, ...content };
    return n === 0 ? { put: item, condition } : { put: item };
  });
}
