import type { DatabaseSync } from 'node:sqlite';
import { queueLeases } from '#shared/adapters/local/queue-leases.ts';
import { queueTurns, STATE } from '#shared/adapters/local/queue-turns.ts';
import { MAX_RECEIVES, messageText } from '#shared/domain/webhooks/queue-message.rules.ts';
import { type Clock, MINUTE, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { QUEUES, type QueueMessage, type QueueName, type QueuePort, type Received } from '#shared/ports/queue.port.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-commit.ts';

const TABLE = `
  CREATE TABLE IF NOT EXISTS queue_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, grp TEXT NOT NULL, visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, state INTEGER NOT NULL DEFAULT ${STATE.waits}
  ) STRICT;`;
/** Older data folders lack this column. */
const STATE_COLUMN = `ALTER TABLE queue_message ADD COLUMN state INTEGER NOT NULL DEFAULT ${STATE.waits}`;
const INDEXES = `
  DROP INDEX IF EXISTS queue_message_by_group;
  DROP INDEX IF EXISTS queue_message_by_time;
  CREATE INDEX IF NOT EXISTS queue_message_by_state ON queue_message (queue, state, visible_at);
  CREATE INDEX IF NOT EXISTS queue_message_by_turn ON queue_message (queue, state, grp, visible_at);`;
const NONE_IS_OUT = `UPDATE queue_message SET state = ${STATE.waits} WHERE state <> ${STATE.waits}`;
const BURY = `UPDATE queue_message SET queue = queue || '-dlq' WHERE queue NOT LIKE '%-dlq' AND receives >= ${MAX_RECEIVES}`;
const NOT_OUT = [STATE.waits, STATE.ready];
/** Messages without a group share this one, which has no limit. */
const NO_GROUP = '-';

export type SqliteQueueOptions = {
  readonly clock: Clock;
  /** A lease, in ms of real time; after it the consumer is taken for dead. */
  readonly lease?: number;
  /** How many messages of one group may be out at once, so that one dead receiver can't occupy every consumer. */
  readonly groupLimit?: number;
  /** Called after messages of a queue were sent or released. */
  readonly onChange?: (queue: QueueName) => void;
  readonly monotonic?: () => number;
};

export type HandedOut = Received & { readonly group: string };
type Addressed = { readonly queue: QueueName; readonly message: QueueMessage };

export type SqliteQueue = QueuePort & {
  /** Sends to any queues, all or nothing. */
  sendAll(mail: readonly Addressed[]): Promise<void>;
  /** At most `max` due messages, the groups in turn; only of these groups, where given. */
  receive(queue: QueueName, max: number, isAsked?: (group: string) => boolean): Promise<readonly HandedOut[]>;
  /** Marks messages as done. */
  remove(ids: readonly string[]): Promise<void>;
  /** Marks messages as failed: they come again after a while, or go to the dead-letter queue after the last try. */
  release(ids: readonly string[], delaySeconds?: number): Promise<void>;
  /** When the next message is due (maybe in the past), of one queue or all; those that are out don't count. */
  nextVisibleAt(queue?: QueueName): Promise<Date | undefined>;
  countReady(now: Date): Promise<number>;
  countInFlight(): number;
  /** Dead letters, oldest first. They are never deleted. */
  deadLetters(queue: QueueName): Promise<readonly Received[]>;
};

/**
 * The queues of a single host: delays by the service's clock, leases and turns in memory (`queue-leases.ts`,
 * `queue-turns.ts`).
 */
export function makeSqliteQueue(
  database: Pick<SqliteDatabase, 'setUp' | 'run' | 'read'>,
  options: SqliteQueueOptions,
): SqliteQueue {
  const { clock, groupLimit = Number.POSITIVE_INFINITY, onChange = () => {} } = options;
  const leases = queueLeases(options.lease ?? 15 * MINUTE, options.monotonic ?? monotonic);
  const turns = queueTurns();
  database.setUp(setUp);

  async function release(ids: readonly string[], delaySeconds = 0): Promise<void> {
    const out = ids.flatMap((id) => leases.get(Number(id)) ?? []);
    await database.run((db) => {
      const wait = db.prepare(`UPDATE queue_message SET visible_at = ?, state = ${STATE.waits} WHERE id = ?`);
      const bury = db.prepare(`${BURY} AND id = ?`);
      for (const { id } of out) {
        wait.run(clock.now().getTime() + delaySeconds * SECOND, id);
        bury.run(id);
      }
    });
    for (const { id } of out) leases.free(id);
    for (const queue of new Set(out.map((lease) => lease.queue))) onChange(queue);
  }

  function handOut(db: DatabaseSync, queue: QueueName, max: number, isAsked: (group: string) => boolean) {
    const limit = (group: string) => (group === NO_GROUP ? max : groupLimit - leases.countOf({ queue, group }));
    const ready = turns.next(db, {
      queue,
      max,
      now: clock.now().getTime(),
      room: (group) => (isAsked(group) ? limit(group) : 0),
    });
    const count = db.prepare(`UPDATE queue_message SET receives = receives + 1, state = ${STATE.out} WHERE id = ?`);
    for (const { id, group } of ready) {
      count.run(id);
      leases.take({ id, queue, group });
    }
    return ready;
  }

  async function sendAll(mail: readonly Addressed[]): Promise<void> {
    const rows = mail.map(({ queue, message }) => ({ queue, ...message, text: messageText(message) }));
    await database.run((db) => {
      const insert = db.prepare('INSERT INTO queue_message (queue, grp, visible_at, body) VALUES (?, ?, ?, ?)');
      for (const { queue, group, delaySeconds = 0, text } of rows)
        insert.run(queue, group || NO_GROUP, clock.now().getTime() + delaySeconds * SECOND, text);
    });
    for (const queue of new Set(rows.map((row) => row.queue))) onChange(queue);
  }

  return {
    release,
    sendAll,
    send: (queue, messages) => sendAll(messages.map((message) => ({ queue, message }))),
    async receive(queue, max, isAsked = () => true) {
      const overdue = leases.overdue();
      if (overdue.length > 0) await release(overdue);
      let out: ReturnType<typeof handOut> = [];
      const committed = database.run((db) => {
        out = handOut(db, queue, max, isAsked);
      });
      // An uncommitted receive hands nothing out.
      await committed.catch((error: unknown) => {
        for (const { id, group } of out) {
          leases.free(id);
          turns.join(queue, group);
        }
        throw error;
      });
      return out.map(({ id, group, body, receives }) => ({
        id: String(id),
        group,
        body: JSON.parse(body),
        receiveCount: receives + 1,
      }));
    },
    async remove(ids) {
      await database.run((db) => {
        const done = db.prepare('DELETE FROM queue_message WHERE id = ?');
        for (const id of ids) done.run(Number(id));
      });
      for (const id of ids) leases.free(Number(id));
    },
    nextVisibleAt(queue) {
      const first = 'SELECT min(visible_at) AS at FROM queue_message WHERE queue = ? AND state = ?';
      return database.read((db) => {
        const read = db.prepare(first);
        const times = (queue ? [queue] : QUEUES).flatMap((name) =>
          NOT_OUT.flatMap((state) => read.get(name, state)?.at ?? []),
        );
        return times.length > 0 ? new Date(Math.min(...times.map(Number))) : undefined;
      });
    },
    countReady(now) {
      const ready = 'SELECT count(*) AS n FROM queue_message WHERE queue = ? AND state = ? AND visible_at <= ?';
      return database.read((db) => {
        const read = db.prepare(ready);
        const counts = QUEUES.flatMap((name) =>
          NOT_OUT.map((state) => Number(read.get(name, state, now.getTime())?.n)),
        );
        return counts.reduce((sum, n) => sum + n, 0);
      });
    },
    countInFlight: () => leases.count(),
    deadLetters(queue) {
      const all = 'SELECT id, body, receives FROM queue_message WHERE queue = ? ORDER BY id';
      return database.read((db) =>
        db
          .prepare(all)
          .all(`${queue}-dlq`)
          .map((row) => ({
            id: String(row.id),
            body: JSON.parse(String(row.body)),
            receiveCount: Number(row.receives),
          })),
      );
    },
  };
}

function setUp(db: DatabaseSync): void {
  db.exec(TABLE);
  const columns = db.prepare('PRAGMA table_info(queue_message)').all();
  if (!columns.some(({ name }) => name === 'state')) db.exec(STATE_COLUMN);
  // A message on its last try when the process ended has used up its tries.
  db.exec(`${INDEXES}${NONE_IS_OUT};${BURY}`);
}
