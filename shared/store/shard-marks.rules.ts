import { createHash } from 'node:crypto';
import { HOUR } from '#shared/kernel/clock.ts';
import type { Cond, Item } from '#shared/ports/table.port.ts';

/**
 * How far a total has come in a shard of the change feed stands in the total itself, and moves in the write that adds:
 * nothing counts twice, and nothing is left out.
 */
const PREFIX = '~';
/** A stream keeps a day: what is older is told by nobody any more. */
const KEPT_HOURS = 26;

/** Names of shards are long; a total may know dozens. */
export const markName = (shard: string): string => PREFIX + createHash('sha256').update(shard).digest('base64url').slice(0, 10);

/** Sorts as its number does, and behind the bare number: a total that stands at a change is not before it. */
export const markAt = (seq: string, at: Date): string => `${seq}@${hoursOf(at).toString(36)}`;

export const isBefore = (name: string, seq: string): Cond => ({ any: [{ absent: name }, { lt: [name, seq] }] });

/** The last change that the total has taken from this shard. */
export function standing(item: Item | undefined, name: string): string {
  const mark = item?.[name];
  return typeof mark === 'string' ? mark.slice(0, mark.indexOf('@')) : '';
}

/** Marks that no change can come behind any more; never that of `current`, whose shard is alive. */
export function staleMarks(item: Item, current: string, at: Date): readonly string[] {
  const oldest = hoursOf(at) - KEPT_HOURS;
  const hoursIn = (mark: unknown) => Number.parseInt(String(mark).slice(String(mark).indexOf('@') + 1), 36);
  return Object.keys(item).filter((name) => name.startsWith(PREFIX) && name !== current && hoursIn(item[name]) < oldest);
}

const hoursOf = (at: Date): number => Math.floor(at.getTime() / HOUR);
