import type { DatabaseSync } from 'node:sqlite';
import { queueLeases } from '#shared/adapters/local/queue-leases.ts';
import { queueRotation, STATE } from '#shared/adapters/local/queue-rotation.ts';
import { MAX_RECEIVES, messageText } from '#shared/domain/webhooks/queue-message.rules.ts';
import { type Clock, MINUTE, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { withTrace } from '#shared/kernel/operation.ts';
import {
  QUEUES,
  type QueueMessage,
  type QueueName,
  type QueuePort,
  type ReceivedMessage,
} from '#shared/ports/queue.port.ts';
import type { SqliteDatabase, WaitOptions } from '#shared/store/sqlite/sqlite-database.ts';

const TABLE = `
  CREATE TABLE IF NOT EXISTS queue_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, grp TEXT NOT NULL, visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, state INTEGER NOT NULL DEFAULT ${STATE.scheduled}
  ) STRICT;`;
/** Older data folders lack this column. */
const STATE_COLUMN = `ALTER TABLE queue_message ADD COLUMN state INTEGER NOT NULL DEFAULT ${STATE.scheduled}`;
/** A message is in one of them while it waits, and in none while it is with a consumer. */
const INDEXES = `
  DROP INDEX IF EXISTS queue_message_by_group;
  DROP INDEX IF EXISTS queue_message_by_time;
  DROP INDEX IF EXISTS queue_message_by_state;
  DROP INDEX IF EXISTS queue_message_by_turn;
  CREATE INDEX IF NOT EXISTS queue_message_scheduled ON queue_message (queue, visible_at)
    WHERE state = ${STATE.scheduled};
  CREATE INDEX IF NOT EXISTS queue_message_ready ON queue_message (queue, grp, visible_at)
    WHERE state = ${STATE.ready};`;
const INSERT = 'INSERT INTO queue_message (queue, grp, visible_at, body, state) VALUES (?, ?, ?, ?, ?)';
const NEXT_OF_QUEUE = [
  `SELECT min(visible_at) AS at FROM queue_message WHERE queue = ? AND state = ${STATE.scheduled}`,
  // All of them are due: any will do.
  `SELECT visible_at AS at FROM queue_message WHERE queue = ? AND state = ${STATE.ready} LIMIT 1`,
];
const COUNTS_OF_QUEUE = [
  `SELECT count(*) AS n FROM queue_message WHERE queue = ? AND state = ${STATE.scheduled} AND visible_at <= ?`,
  `SELECT count(*) AS n FROM queue_message WHERE queue = ? AND state = ${STATE.ready} AND visible_at <= ?`,
];
const RELEASE_ALL = `UPDATE queue_message SET state = ${STATE.scheduled} WHERE state <> ${STATE.scheduled}`;
const MOVE_TO_DLQ = `
  UPDATE queue_message SET queue = queue || '-dlq'
  WHERE queue NOT LIKE '%-dlq' AND receives >= ${MAX_RECEIVES}`;
const REDRIVE = `
  UPDATE queue_message SET queue = ?, receives = 0, visible_at = ?, state = ${STATE.scheduled} WHERE queue = ?`;
/**
 * Not worth waiting for the disk: a power loss takes back what was done last, for all alike, and the messages are then
 * handed out again.
 */
export const REPEATED: WaitOptions = { isDurable: false };
/** Messages without a group share this one, which has no limit. */
const NO_GROUP = '-';

/** The kind of the groups that a consumer serves (all if undefined), and how many messages of each may be in flight. */
export type GroupShare = { readonly kind?: string; readonly ofGroup: number };

export type SqliteQueueOptions = {
  readonly clock: Clock;
  /** How long a lease lasts, in ms of real time; afterwards its consumer counts as dead. */
  readonly lease?: number;
  /** How many messages of a group may be in flight, so that one dead webhook endpoint cannot occupy every consumer. */
  readonly groupLimit?: number;
  /** Called after messages of a queue were sent or released. */
  readonly onChange?: (queue: QueueName) => void;
  readonly monotonic?: () => number;
};

export type DeliveredMessage = ReceivedMessage & { readonly group: string };
type QueuedMessage = { readonly queue: QueueName; readonly message: QueueMessage };

export type SqliteQueue = QueuePort & {
  /** Sends to any queues, all or nothing. `REPEATED`: who sends them sends them again after a power loss. */
  sendAll(messages: readonly QueuedMessage[], how?: WaitOptions): Promise<void>;
  /** At most `max` due messages, the groups in turn. `share`: in place of the queue's own limit. */
  receive(queue: QueueName, max: number, share?: GroupShare): Promise<readonly DeliveredMessage[]>;
  /** How the queue's groups are told apart. The result must be called when a group's kind has changed. */
  sortGroups(queue: QueueName, kindOf: (group: string) => string): (group: string) => void;
  /** Marks messages as done. */
  remove(ids: readonly string[]): Promise<void>;
  /** Marks messages as failed: they are delivered again later, or go to the dead-letter queue after the last try. */
  release(ids: readonly string[], delaySeconds?: number): Promise<void>;
  /** When the next message is due (maybe in the past), of one queue or all. Messages in flight do not count. */
  nextVisibleAt(queue?: QueueName): Promise<Date | undefined>;
  countReady(now: Date): Promise<number>;
  countInFlight(): number;
  /** Dead letters, oldest first. They are never deleted. */
  deadLetters(queue: QueueName): Promise<readonly ReceivedMessage[]>;
  /** Sends the dead letters back to their queue, with all their tries. Returns how many. */
  redrive(queue: QueueName): Promise<number>;
};

/**
 * The queues of a single host: delays by the service's clock, leases and rotation in memory (`queue-leases.ts`,
 * `queue-rotation.ts`).
 */
export function makeSqliteQueue(
  database: Pick<SqliteDatabase, 'setUp' | 'run' | 'read'>,
  options: SqliteQueueOptions,
): SqliteQueue {
  const { clock, groupLimit = Number.POSITIVE_INFINITY, onChange = () => {} } = options;
  const leases = queueLeases(options.lease ?? 15 * MINUTE, options.monotonic ?? monotonic);
  const rotation = queueRotation();
  database.setUp(setUp);

  async function release(ids: readonly string[], delaySeconds = 0): Promise<void> {
    const released = ids.flatMap((id) => leases.get(Number(id)) ?? []);
    await database.run((db) => {
      const schedule = db.prepare(`UPDATE queue_message SET visible_at = ?, state = ${STATE.scheduled} WHERE id = ?`);
      const moveToDlq = db.prepare(`${MOVE_TO_DLQ} AND id = ?`);
      for (const { id, queue } of released) {
        const at = clock.now().getTime() + delaySeconds * SECOND;
        schedule.run(at, id);
        rotation.schedule(queue, at);
        moveToDlq.run(id);
      }
    }, REPEATED);
    for (const { id } of released) leases.free(id);
    for (const queue of new Set(released.map((lease) => lease.queue))) onChange(queue);
  }

  function requestOf(queue: QueueName, { kind, ofGroup }: GroupShare) {
    const remaining = (group: string): number =>
      group === NO_GROUP ? Number.POSITIVE_INFINITY : ofGroup - leases.countOf({ queue, group });
    return { queue, kind, now: clock.now().getTime(), remaining };
  }

  function take(db: DatabaseSync, queue: QueueName, messages: ReturnType<typeof rotation.next>): void {
    const count = db.prepare(
      `UPDATE queue_message SET receives = receives + 1, state = ${STATE.inFlight} WHERE id = ?`,
    );
    for (const { id, group } of messages) {
      count.run(id);
      leases.take({ id, queue, group });
    }
  }

  async function sendAll(messages: readonly QueuedMessage[], how?: WaitOptions): Promise<void> {
    const rows = messages.map(({ queue, message }) => ({ queue, ...message, text: messageText(message) }));
    await database.run((db) => {
      const insert = db.prepare(INSERT);
      for (const { queue, group: given, delaySeconds = 0, text } of rows) {
        const [group, at] = [given || NO_GROUP, clock.now().getTime() + delaySeconds * SECOND];
        insert.run(queue, group, at, text, delaySeconds > 0 ? STATE.scheduled : STATE.ready);
        if (delaySeconds > 0) rotation.schedule(queue, at);
        else rotation.join(queue, group);
      }
    }, how);
    for (const queue of new Set(rows.map((row) => row.queue))) onChange(queue);
  }

  return {
    release,
    sendAll,
    send: (queue, messages) =>
      sendAll(messages.map((message) => ({ queue, message: { ...message, body: withTrace(message.body) } }))),
    async receive(queue, max, share = { ofGroup: groupLimit }) {
      const overdue = leases.overdue();
      if (overdue.length > 0) await release(overdue);
      if (!rotation.mayHave(requestOf(queue, share))) return [];
      let taken: ReturnType<typeof rotation.next> = [];
      const committed = database.run((db) => {
        taken = rotation.next(db, { ...requestOf(queue, share), max });
        take(db, queue, taken);
      }, REPEATED);
      // If the commit fails, or already a write before it, nothing was received.
      await committed.catch((error: unknown) => {
        rotation.lookAgain(queue);
        for (const { id, group } of taken) {
          leases.free(id);
          rotation.join(queue, group);
        }
        throw error;
      });
      return taken.map(({ id, group, body, receives }) => ({
        id: String(id),
        group,
        body: JSON.parse(body),
        receiveCount: receives + 1,
      }));
    },
    sortGroups(queue, kindOf) {
      rotation.sortBy(queue, kindOf);
      return (group) => rotation.sortAgain(queue, group);
    },
    async remove(ids) {
      for (const id of ids) leases.uncount(Number(id));
      await database.run((db) => {
        const done = db.prepare('DELETE FROM queue_message WHERE id = ?');
        for (const id of ids) done.run(Number(id));
      }, REPEATED);
      for (const id of ids) leases.free(Number(id));
    },
    nextVisibleAt(queue) {
      return database.read((db) => {
        const times = (queue ? [queue] : QUEUES).flatMap((name) =>
          NEXT_OF_QUEUE.flatMap((sql) => db.prepare(sql).get(name)?.at ?? []),
        );
        return times.length > 0 ? new Date(Math.min(...times.map(Number))) : undefined;
      });
    },
    countReady(now) {
      return database.read((db) => {
        const counts = QUEUES.flatMap((name) =>
          COUNTS_OF_QUEUE.map((sql) => Number(db.prepare(sql).get(name, now.getTime())?.n)),
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
    async redrive(queue) {
      const at = clock.now().getTime();
      let count = 0;
      await database.run((db) => {
        const { changes } = db.prepare(REDRIVE).run(queue, at, `${queue}-dlq`);
        count = Number(changes);
        if (count > 0) rotation.schedule(queue, at);
      });
      if (count > 0) onChange(queue);
      return count;
    },
  };
}

function setUp(db: DatabaseSync): void {
  db.exec(TABLE);
  const columns = db.prepare('PRAGMA table_info(queue_message)').all();
  if (!columns.some(({ name }) => name === 'state')) db.exec(STATE_COLUMN);
  // A message on its last try when the process ended has used up its tries.
  db.exec(`${INDEXES}${RELEASE_ALL};${MOVE_TO_DLQ}`);
}
