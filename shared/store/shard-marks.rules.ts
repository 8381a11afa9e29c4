import { createHash } from 'node:crypto';
import { HOUR } from '#shared/kernel/clock.ts';
import type { Cond, Item } from '#shared/ports/table.port.ts';

/**
 * A total stores its position in each shard of the change feed, and moves it in the write that adds: nothing counts
 * twice, and nothing is lost.
 */
const PREFIX = '~';
/** A stream keeps changes for a day: older ones can't be delivered again. */
const KEPT_HOURS = 26;

/** Shard names are long, and a total may hold dozens of marks: they are hashed. */
export const markName = (shard: string): string =>
  PREFIX + createHash('sha256').update(shard).digest('base64url').slice(0, 10);

/** Sorts like its number, and after the bare number: a total that is at a change is not before it. */
export const markAt = (seq: string, at: Date): string => `${seq}@${hoursOf(at).toString(36)}`;

export const isBefore = (name: string, seq: string): Cond => ({ any: [{ absent: name }, { lt: [name, seq] }] });

/** The last change of this shard that the total includes. */
export function standing(item: Item | undefined, name: string): string {
  const mark = item?.[name];
  return typeof mark === 'string' ? mark.slice(0, mark.indexOf('@')) : '';
}

/** Marks of shards that can have no further changes; never that of `current`, which is live. */
export function staleMarks(item: Item, current: string, at: Date): readonly string[] {
  const oldest = hoursOf(at) - KEPT_HOURS;
  const hoursIn = (mark: unknown) => Number.parseInt(String(mark).slice(String(mark).indexOf('@') + 1), 36);
  return Object.keys(item).filter(
    (name) => name.startsWith(PREFIX) && name !== current && hoursIn(item[name]) < oldest,
  );
}

const hoursOf = (at: Date): number => Math.floor(at.getTime() / HOUR);
