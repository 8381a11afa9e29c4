import type { DatabaseSync } from 'node:sqlite';
import { MAX_RECEIVES, messageText } from '#shared/domain/queue-message.rules.ts';
import { type Clock, MINUTE, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { queueLeases } from '#shared/local/queue-leases.ts';
import { readyInTurn } from '#shared/local/queue-turns.ts';
import { QUEUES, type QueueName, type QueuePort, type Received } from '#shared/ports/queue.port.ts';
import type { SqliteDatabase } from '#shared/store/sqlite-commit.ts';

const TABLE = `
  CREATE TABLE IF NOT EXISTS queue_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, grp TEXT NOT NULL, visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS queue_message_by_group ON queue_message (queue, grp, visible_at);
  CREATE INDEX IF NOT EXISTS queue_message_by_time ON queue_message (queue, visible_at);`;
const BURY = `UPDATE queue_message SET queue = queue || '-dlq' WHERE queue NOT LIKE '%-dlq' AND receives >= ${MAX_RECEIVES}`;
const NOT_HELD = 'id NOT IN (SELECT value FROM json_each(?))';
/** Messages without a group share this one, which has no limit. */
const NO_GROUP = '-';

export type SqliteQueueOptions = {
  readonly clock: Clock;
  /** How long a consumer may work on a message, ms of real time, before it is taken for dead. */
  readonly lease?: number;
  /** How many messages of one group may be out at once, so that one dead receiver can't hold every consumer. */
  readonly groupLimit?: number;
  /** Told after messages were sent or released. */
  readonly onChange?: () => void;
  readonly monotonic?: () => number;
};

export type SqliteQueue = QueuePort & {
  /** At most `max` messages whose time has come, the groups in turn. */
  receive(queue: QueueName, max: number): Promise<readonly Received[]>;
  /** These are done. */
  remove(ids: readonly string[]): Promise<void>;
  /** These failed: they come again after a while, or lie in the dead-letter queue after the last try. */
  release(ids: readonly string[], delaySeconds?: number): Promise<void>;
  /** When the next message falls due (perhaps long ago), of one queue or all; those handed out don't count. */
  nextVisibleAt(queue?: QueueName): Promise<Date | undefined>;
  countReady(now: Date): Promise<number>;
  countInFlight(): number;
  /** Oldest first. Nothing deletes these. */
  deadLetters(queue: QueueName): Promise<readonly Received[]>;
};

/** The queues of a single host: visibility by the service's clock, leases in memory (see `queue-leases.ts`). */
export function makeSqliteQueue(database: Pick<SqliteDatabase, 'setUp' | 'run' | 'read'>, options: SqliteQueueOptions): SqliteQueue {
  const { clock, groupLimit = Number.POSITIVE_INFINITY, onChange = () => {} } = options;
  const leases = queueLeases(options.lease ?? 15 * MINUTE, options.monotonic ?? monotonic);
  const lastServed = new Map<QueueName, string>();
  const held = () => JSON.stringify(leases.ids());
  // What was out for the last time when the process ended has had its tries.
  database.setUp((db) => db.exec(`${TABLE}${BURY}`));

  function letGo(db: DatabaseSync, ids: readonly number[], delaySeconds: number): void {
    const wait = db.prepare('UPDATE queue_message SET visible_at = ? WHERE id = ?');
    const bury = db.prepare(`${BURY} AND id = ?`);
    for (const id of ids.filter((each) => leases.free(each))) {
      wait.run(clock.now().getTime() + delaySeconds * SECOND, id);
      bury.run(id);
    }
  }

  function handOut(db: DatabaseSync, queue: QueueName, max: number) {
    const room = (group: string) => (group === NO_GROUP ? max : groupLimit - leases.count((lease) => lease.queue === queue && lease.group === group));
    const after = lastServed.get(queue) ?? '';
    const ready = readyInTurn(db, { queue, max, room, after, now: clock.now().getTime(), held: held() });
    const count = db.prepare('UPDATE queue_message SET receives = receives + 1 WHERE id = ?');
    for (const { id, group } of ready) {
      count.run(id);
      leases.take({ id, queue, group });
      lastServed.set(queue, group);
    }
    return ready;
  }

  return {
    async send(queue, messages) {
      const rows = messages.map((message) => ({ ...message, text: messageText(message) }));
      await database.run((db) => {
        const insert = db.prepare('INSERT INTO queue_message (queue, grp, visible_at, body) VALUES (?, ?, ?, ?)');
        for (const { group, delaySeconds = 0, text } of rows) insert.run(queue, group || NO_GROUP, clock.now().getTime() + delaySeconds * SECOND, text);
      });
      onChange();
    },
    async receive(queue, max) {
      let out: ReturnType<typeof handOut> = [];
      const committed = database.run((db) => {
        letGo(db, leases.overdue(), 0);
        out = handOut(db, queue, max);
      });
      // Not committed means not handed out.
      await committed.catch((error: unknown) => {
        for (const { id } of out) leases.free(id);
        throw error;
      });
      return out.map(({ id, body, receives }) => ({ id: String(id), body: JSON.parse(body), receiveCount: receives + 1 }));
    },
    async remove(ids) {
      await database.run((db) => {
        const done = db.prepare('DELETE FROM queue_message WHERE id = ?');
        for (const id of ids) done.run(Number(id));
      });
      for (const id of ids) leases.free(Number(id));
    },
    async release(ids, delaySeconds = 0) {
      await database.run((db) => letGo(db, ids.map(Number), delaySeconds));
      onChange();
    },
    nextVisibleAt(queue) {
      const one = `SELECT visible_at FROM queue_message WHERE queue = ? AND ${NOT_HELD} ORDER BY visible_at LIMIT 1`;
      return database.read((db) => {
        const times = (queue ? [queue] : QUEUES).flatMap((name) => db.prepare(one).get(name, held())?.visible_at ?? []);
        return times.length > 0 ? new Date(Math.min(...times.map(Number))) : undefined;
      });
    },
    countReady(now) {
      const ready = `SELECT count(*) AS n FROM queue_message WHERE queue = ? AND visible_at <= ? AND ${NOT_HELD}`;
      return database.read((db) => QUEUES.map((name) => Number(db.prepare(ready).get(name, now.getTime(), held())?.n)).reduce((sum, n) => sum + n, 0));
    },
    countInFlight: () => leases.count(),
    deadLetters(queue) {
      const all = 'SELECT id, body, receives FROM queue_message WHERE queue = ? ORDER BY id';
      return database.read((db) =>
        db
          .prepare(all)
          .all(`${queue}-dlq`)
          .map((row) => ({ id: String(row.id), body: JSON.parse(String(row.body)), receiveCount: Number(row.receives) })),
      );
    },
  };
}
