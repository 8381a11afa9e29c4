import type { DatabaseSync } from 'node:sqlite';

type Ready = { readonly id: number; readonly group: string; readonly body: string; readonly receives: number };

/** A message's state: scheduled, ready, or with a consumer. */
export const STATE = { waits: 0, ready: 1, out: 2 } as const;

type Turn = {
  readonly queue: string;
  readonly now: number;
  readonly max: number;
  /** How many more of this group may be out. */
  readonly room: (group: string) => number;
};

type Hand = { readonly group: string; readonly mayHaveMore: boolean; readonly rows: readonly Ready[] };

const COME = `SELECT DISTINCT grp FROM queue_message WHERE queue = ? AND state = ${STATE.waits} AND visible_at <= ?`;
const LET_COME = `UPDATE queue_message SET state = ${STATE.ready} WHERE queue = ? AND state = ${STATE.waits} AND visible_at <= ?`;
const READY = `
  SELECT id, body, receives FROM queue_message
  WHERE queue = ? AND state = ${STATE.ready} AND grp = ? ORDER BY visible_at, id LIMIT ?`;

/**
 * Round-robin over a queue's groups with ready messages; a served group goes to the end. The line is kept in memory and
 * may hold a group in vain: searching thousands of groups whose messages are out or scheduled must cost nothing.
 */
export function queueTurns() {
  const lines = new Map<string, Set<string>>();

  function lineOf(queue: string): Set<string> {
    const line = lines.get(queue) ?? new Set();
    lines.set(queue, line);
    return line;
  }

  /** Adds groups whose messages have become due. */
  function letCome(db: DatabaseSync, { queue, now }: Turn): void {
    const come = db.prepare(COME).all(queue, now);
    if (come.length === 0) return;
    db.prepare(LET_COME).run(queue, now);
    for (const { grp } of come) lineOf(queue).add(String(grp));
  }

  return {
    /** This group has something ready. */
    join: (queue: string, group: string): void => void lineOf(queue).add(group),
    /**
     * The next messages: one of each group, then a second one of each. One look-up per group, however long its backlog.
     */
    next(db: DatabaseSync, turn: Turn): Ready[] {
      letCome(db, turn);
      const line = lineOf(turn.queue);
      const ready = db.prepare(READY);
      const hands: Hand[] = [];
      for (const group of line) {
        if (hands.length >= turn.max) break;
        const most = Math.min(turn.max, turn.room(group));
        if (most <= 0) continue;
        const rows = ready.all(turn.queue, group, most);
        if (rows.length === 0) line.delete(group);
        else hands.push({ group, mayHaveMore: rows.length === most, rows: rows.map((row) => toReady(row, group)) });
      }
      const dealt = deal(
        hands.map(({ rows }) => rows),
        turn.max,
      );
      for (const { group, mayHaveMore, rows } of hands) {
        line.delete(group);
        if (mayHaveMore || !rows.every((row) => dealt.includes(row))) line.add(group);
      }
      return dealt;
    },
  };
}

const toReady = ({ id, body, receives }: Record<string, unknown>, group: string): Ready => ({
  id: Number(id),
  group,
  body: String(body),
  receives: Number(receives),
});

function deal<T>(hands: readonly (readonly T[])[], max: number): T[] {
  const rounds = Math.max(0, ...hands.map((hand) => hand.length));
  return Array.from({ length: rounds }, (_, round) => hands.flatMap((hand) => hand.slice(round, round + 1)))
    .flat()
    .slice(0, max);
}
