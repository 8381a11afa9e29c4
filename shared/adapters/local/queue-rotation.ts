import type { DatabaseSync } from 'node:sqlite';

type ReadyMessage = { readonly id: number; readonly group: string; readonly body: string; readonly receives: number };

/** A message's state: scheduled, ready, or with a consumer. */
export const STATE = { scheduled: 0, ready: 1, inFlight: 2 } as const;

type ReceiveRequest = {
  readonly queue: string;
  readonly now: number;
  readonly max: number;
  /** How many more messages of this group may be in flight. */
  readonly remaining: (group: string) => number;
};

type GroupBatch = { readonly group: string; readonly mayHaveMore: boolean; readonly rows: readonly ReadyMessage[] };

const IS_DUE = `queue = ? AND state = ${STATE.scheduled} AND visible_at <= ?`;
const DUE_GROUPS = `SELECT DISTINCT grp FROM queue_message WHERE ${IS_DUE}`;
const MARK_READY = `UPDATE queue_message SET state = ${STATE.ready} WHERE ${IS_DUE}`;
const READY_MESSAGES = `
  SELECT id, body, receives FROM queue_message
  WHERE queue = ? AND state = ${STATE.ready} AND grp = ? ORDER BY visible_at, id LIMIT ?`;

/**
 * Round-robin over a queue's groups with ready messages; a served group goes to the end. The rotation is in memory
 * and may contain groups without ready messages. Groups whose messages are all in flight or scheduled are not queried.
 */
export function queueRotation() {
  const rotations = new Map<string, Set<string>>();

  function rotationOf(queue: string): Set<string> {
    const rotation = rotations.get(queue) ?? new Set();
    rotations.set(queue, rotation);
    return rotation;
  }

  /** Adds groups whose messages have become due. */
  function moveDueToReady(db: DatabaseSync, { queue, now }: ReceiveRequest): void {
    const due = db.prepare(DUE_GROUPS).all(queue, now);
    if (due.length === 0) return;
    db.prepare(MARK_READY).run(queue, now);
    for (const { grp } of due) rotationOf(queue).add(String(grp));
  }

  return {
    /** Adds a group that has a ready message. */
    join: (queue: string, group: string): void => void rotationOf(queue).add(group),
    /**
     * The next messages: one of each group, then a second one of each. It makes one query per group, however long its
     * backlog.
     */
    next(db: DatabaseSync, request: ReceiveRequest): ReadyMessage[] {
      moveDueToReady(db, request);
      const rotation = rotationOf(request.queue);
      const ready = db.prepare(READY_MESSAGES);
      const batches: GroupBatch[] = [];
      for (const group of rotation) {
        if (batches.length >= request.max) break;
        const max = Math.min(request.max, request.remaining(group));
        if (max <= 0) continue;
        const rows = ready.all(request.queue, group, max);
        if (rows.length === 0) rotation.delete(group);
        else batches.push({ group, mayHaveMore: rows.length === max, rows: rows.map((row) => toReady(row, group)) });
      }
      const next = interleave(
        batches.map(({ rows }) => rows),
        request.max,
      );
      for (const { group, mayHaveMore, rows } of batches) {
        rotation.delete(group);
        if (mayHaveMore || !rows.every((row) => next.includes(row))) rotation.add(group);
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
