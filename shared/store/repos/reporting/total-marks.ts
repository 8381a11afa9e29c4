import { createHash } from 'node:crypto';
import { HOUR } from '#shared/kernel/clock.ts';
import type { Condition, Item } from '#shared/store/table/table.port.ts';

/**
 * A mark is a total's position in one shard of the change feed. The write that adds to the total also moves the mark,
 * so each change counts once.
 */
const MARK_PREFIX = '~';
/** A stream keeps changes for a day: older ones can't be delivered again. */
const MARK_LIFETIME_HOURS = 26;
/** A shard is read after its parent. A write of the parent that is still on its way arrives within this time. */
const PARENT_GRACE_HOURS = 2;

/** Shard names are long, and a total may have a dozen marks, so the names are hashed. */
export const markName = (shard: string): string => MARK_PREFIX + hashOf(shard).toString('base64url').slice(0, 10);

/** The branch that a shard takes below a lane of this depth. Independent of the mark's name. */
export const branchOf = (shard: string, depth: number, branches: number): number =>
  (hashOf(shard)[16 + depth] ?? 0) % branches;

const hashOf = (shard: string): Buffer => createHash('sha256').update(shard).digest();

/**
 * A mark sorts like its sequence number, and after the bare number: a total that includes a change is not before it.
 */
export const markOf = (seq: string, at: Date): string => `${seq}@${hoursOf(at).toString(36)}`;

export const isBefore = (name: string, seq: string): Condition => ({ lt: [name, seq] });

/** The sequence number of the last change of this shard that the total includes. */
export function lastSeq(item: Item | undefined, name: string): string {
  const mark = item?.[name];
  return typeof mark === 'string' ? mark.slice(0, mark.indexOf('@')) : '';
}

export const marksIn = (item: Item): readonly string[] =>
  Object.keys(item).filter((name) => name.startsWith(MARK_PREFIX));

/** Each shard's parent, where the stream still knows it. */
export type ShardParents = ReadonlyMap<string, string>;

/** Marks of shards whose changes the stream no longer has. Never the mark `current`, which is in use. */
export const expiredMarks = (item: Item, current: string, at: Date): readonly string[] =>
  marksIn(item).filter((name) => name !== current && ageOf(item[name], at) > MARK_LIFETIME_HOURS);

/** Marks of shards whose child has a mark, because a shard is read to its end before its child. */
export function endedMarks(item: Item, current: string, at: Date, parents: ShardParents): readonly string[] {
  const ended = endedShards(item, current, parents);
  return marksIn(item).filter(
    (name) => name !== current && ended.has(name) && ageOf(item[name], at) >= PARENT_GRACE_HOURS,
  );
}

function endedShards(item: Item, current: string, parents: ShardParents): ReadonlySet<string> {
  const ended = new Set<string>();
  for (const shard of parents.keys()) {
    const name = markName(shard);
    if (name !== current && item[name] === undefined) continue;
    for (let parent = parents.get(shard); parent !== undefined; parent = parents.get(parent))
      ended.add(markName(parent));
  }
  return ended;
}

const ageOf = (mark: unknown, at: Date): number => hoursOf(at) - hoursIn(mark);
const hoursIn = (mark: unknown): number => Number.parseInt(String(mark).slice(String(mark).indexOf('@') + 1), 36);
const hoursOf = (at: Date): number => Math.floor(at.getTime() / HOUR);
