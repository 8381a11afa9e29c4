import type { DatabaseSync } from 'node:sqlite';

export type Ready = { readonly id: number; readonly group: string; readonly body: string; readonly receives: number };

export type Turn = {
  readonly queue: string;
  readonly now: number;
  readonly max: number;
  /** The group served last; its successor is first now. */
  readonly after: string;
  /** What is not to be had, as a JSON list of ids. */
  readonly held: string;
  /** How many more of this group may go out. */
  readonly room: (group: string) => number;
};

const ANY_DUE = 'SELECT 1 FROM queue_message WHERE queue = ? AND visible_at <= ? LIMIT 1';
/** With the time of its first message: most groups have only delayed ones and are passed by. */
const NEXT_GROUP = 'SELECT grp, visible_at FROM queue_message WHERE queue = ? AND grp > ? AND grp <= ? ORDER BY grp, visible_at LIMIT 1';
const READY = `
  SELECT id, body, receives FROM queue_message
  WHERE queue = ? AND grp = ? AND visible_at <= ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY visible_at, id LIMIT ?`;
const LAST_OF_ALL = '\u{10FFFF}';

/** What goes out next: one of each group, in a circle, then a second of each. One seek a group, however long its backlog. */
export function readyInTurn(db: DatabaseSync, turn: Turn): Ready[] {
  if (!db.prepare(ANY_DUE).get(turn.queue, turn.now)) return [];
  const ready = db.prepare(READY);
  const hands: Ready[][] = [];
  for (const group of groupsInTurn(db, turn)) {
    const rows = ready.all(turn.queue, group, turn.now, turn.held, Math.max(0, Math.min(turn.max, turn.room(group))));
    if (rows.length > 0) hands.push(rows.map((row) => ({ id: Number(row.id), group, body: String(row.body), receives: Number(row.receives) })));
    if (hands.length === turn.max) break;
  }
  return deal(hands, turn.max);
}

function* groupsInTurn(db: DatabaseSync, { queue, after, now }: Turn): Generator<string> {
  const next = db.prepare(NEXT_GROUP);
  for (const [from, to] of [
    [after, LAST_OF_ALL],
    ['', after],
  ] as const) {
    for (let row = next.get(queue, from, to); row; row = next.get(queue, String(row.grp), to)) {
      if (Number(row.visible_at) <= now) yield String(row.grp);
    }
  }
}

function deal<T>(hands: readonly (readonly T[])[], max: number): T[] {
  const rounds = Math.max(0, ...hands.map((hand) => hand.length));
  return Array.from({ length: rounds }, (_, round) => hands.flatMap((hand) => hand.slice(round, round + 1)))
    .flat()
    .slice(0, max);
}
