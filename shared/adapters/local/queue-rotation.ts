import type { DatabaseSync } from 'node:sqlite';

type ReadyMessage = { readonly id: number; readonly group: string; readonly body: string; readonly receives: number };

/** A message's state: scheduled, ready, or with a consumer. */
export const STATE = { scheduled: 0, ready: 1, inFlight: 2 } as const;

/** How a queue sorts its groups. Those of one kind take turns. */
type KindOf = (group: string) => string;

type ReceiveRequest = {
  readonly queue: string;
  /** The groups that are served; all if undefined. */
  readonly kind: string | undefined;
  readonly now: number;
  readonly max: number;
  /** How many more messages of this group may be in flight. */
  readonly remaining: (group: string) => number;
};

type GroupBatch = { readonly group: string; readonly mayHaveMore: boolean; readonly rows: readonly ReadyMessage[] };

const IS_DUE = `queue = ? AND state = ${STATE.scheduled} AND visible_at <= ?`;
const DUE_GROUPS = `SELECT DISTINCT grp FROM queue_message WHERE ${IS_DUE}`;
const MARK_READY = `UPDATE queue_message SET state = ${STATE.ready} WHERE ${IS_DUE}`;
const NEXT_DUE = `SELECT min(visible_at) AS at FROM queue_message WHERE queue = ? AND state = ${STATE.scheduled}`;
const READY_MESSAGES = `
  SELECT id, body, receives FROM queue_message
  WHERE queue = ? AND state = ${STATE.ready} AND grp = ? ORDER BY visible_at, id LIMIT ?`;

/**
 * Round-robin over a queue's groups with ready messages; a served group goes to the end. The rotation is in memory
 * and may contain groups without ready messages. Groups whose messages are all in flight or scheduled are not queried,
 * and those of another kind are not even looked at, however many wait.
 */
export function queueRotation() {
  /** By queue and kind. */
  const rotations = new Map<string, Map<string, Set<string>>>();
  const sorters = new Map<string, KindOf>();
  /** No scheduled message of the queue is due before. Unknown at the start. */
  const nextDue = new Map<string, number>();

  function kindsOf(queue: string): Map<string, Set<string>> {
    const kinds = rotations.get(queue) ?? new Map();
    rotations.set(queue, kinds);
    return kinds;
  }
  function join(queue: string, group: string): void {
    const [kinds, kind] = [kindsOf(queue), sorters.get(queue)?.(group) ?? ''];
    const rotation = kinds.get(kind) ?? new Set();
    kinds.set(kind, rotation.add(group));
  }
  function sortAgain(queue: string, group: string): void {
    for (const rotation of kindsOf(queue).values()) {
      if (!rotation.delete(group)) continue;
      join(queue, group);
      return;
    }
  }
  function* groupsOf({ queue, kind }: Pick<ReceiveRequest, 'queue' | 'kind'>): Generator<string> {
    for (const [each, rotation] of kindsOf(queue)) if (kind === undefined || kind === each) yield* rotation;
  }
  function leave(queue: string, group: string): void {
    for (const rotation of kindsOf(queue).values()) rotation.delete(group);
  }
  const hasDue = ({ queue, now }: Pick<ReceiveRequest, 'queue' | 'now'>): boolean => (nextDue.get(queue) ?? 0) <= now;

  /** Adds groups whose messages have become due. */
  function moveDueToReady(db: DatabaseSync, { queue, now }: ReceiveRequest): void {
    if (!hasDue({ queue, now })) return;
    for (const { grp } of db.prepare(DUE_GROUPS).all(queue, now)) join(queue, String(grp));
    db.prepare(MARK_READY).run(queue, now);
    nextDue.set(queue, Number(db.prepare(NEXT_DUE).get(queue)?.at ?? Number.POSITIVE_INFINITY));
  }

  return {
    /** Adds a group that has a ready message. */
    join,
    sortBy(queue: string, kindOf: KindOf): void {
      sorters.set(queue, kindOf);
      for (const group of [...groupsOf({ queue, kind: undefined })]) sortAgain(queue, group);
    },
    /** The group is of another kind now. */
    sortAgain,
    /** A message of this queue is scheduled for this time. */
    schedule(queue: string, at: number): void {
      const known = nextDue.get(queue);
      if (known !== undefined && at < known) nextDue.set(queue, at);
    },
    /** After a failed commit: messages that had become due are scheduled still. */
    lookAgain: (queue: string): void => void nextDue.delete(queue),
    /** Whether there may be a message, without a look at the database. */
    mayHave({ queue, kind, now, remaining }: Omit<ReceiveRequest, 'max'>): boolean {
      if (hasDue({ queue, now })) return true;
      for (const group of groupsOf({ queue, kind })) if (remaining(group) > 0) return true;
      return false;
    },
    /**
     * The next messages: one of each group, then a second one of each. It makes one query per group, however long its
     * backlog.
     */
    next(db: DatabaseSync, request: ReceiveRequest): ReadyMessage[] {
      moveDueToReady(db, request);
      const { queue } = request;
      const batches: GroupBatch[] = [];
      for (const group of groupsOf(request)) {
        if (batches.length >= request.max) break;
        const max = Math.min(request.max, request.remaining(group));
        if (max <= 0) continue;
        const rows = db.prepare(READY_MESSAGES).all(queue, group, max);
        if (rows.length === 0) leave(queue, group);
        else batches.push({ group, mayHaveMore: rows.length === max, rows: rows.map((row) => toReady(row, group)) });
      }
      const next = interleave(
        batches.map(({ rows }) => rows),
        request.max,
      );
      for (const { group, mayHaveMore, rows } of batches) {
        leave(queue, group);
        if (mayHaveMore || !rows.every((row) => next.includes(row))) join(queue, group);
      }
      return next;
    },
  };
}

const toReady = ({ id, body, receives }: Record<string, unknown>, group: string): ReadyMessage => ({
  id: Number(id),
  group,
  body: String(body),
  receives: Number(receives),
});

/** The first element of each list, then the second of each, up to `max` in all. */
function interleave<T>(lists: readonly (readonly T[])[], max: number): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1)))
    .flat()
    .slice(0, max);
}
