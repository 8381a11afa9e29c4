import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { EVENT_QUEUES, SKIPPED_BY } from '#functions/event-table.ts';
import { inProcessBus } from '#shared/adapters/local/in-process-bus.adapter.ts';
import {
  makeSqliteQueue,
  type SqliteQueue,
  type SqliteQueueOptions,
} from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';
import type { ReceivedMessage } from '#shared/ports/queue.port.ts';
import { openDatabase, type SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { queueContract } from '#test/contract/queue.contract.ts';

let database: SqliteDatabase;
let time: number;
let real: number;
const clock = { now: () => new Date(time) };
const open = (options: Partial<SqliteQueueOptions> = {}) =>
  makeSqliteQueue(database, { clock, monotonic: () => real, ...options });
const start = () => {
  database = openDatabase(':memory:');
  time = Date.UTC(2026, 0, 1);
  real = 0;
};

queueContract('SQLite', async () => {
  start();
  const queue = open();
  return {
    queue,
    pass(seconds) {
      time += seconds * 1_000;
    },
    dead: async () => (await queue.deadLetters('timers')).map(({ body }) => body),
    async consume(consumer) {
      const messages = await queue.receive('timers', 10);
      const { failed } = await consumer(messages);
      await queue.remove(messages.map(({ id }) => id).filter((id) => !failed.includes(id)));
      await queue.release(failed);
    },
  };
});

describe('the queues of a single host', () => {
  let queue: SqliteQueue;
  beforeEach(() => {
    start();
    queue = open();
  });
  const send = (group: string, count: number, to: SqliteQueue = queue) =>
    to.send(
      'webhook-delivery',
      Array.from({ length: count }, (_, n) => ({ body: { group, n }, group })),
    );
  const receive = (max: number, from: SqliteQueue = queue) => from.receive('webhook-delivery', max);
  const groups = (messages: readonly ReceivedMessage[]) => messages.map(({ body }) => body.group).join('');
  const ids = (messages: readonly ReceivedMessage[]) => messages.map(({ id }) => id);

  it.each([1, 2])(
    'hands out messages again after a receive that failed at write %i, as on a full disk',
    async (nth) => {
      let writes = 0;
      const failing = (db: DatabaseSync): DatabaseSync =>
        new Proxy(db, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
            return (sql: string) =>
              sql.includes('receives + 1') ? failingStatement(target, sql) : target.prepare(sql);
          },
        });
      const failingStatement = (db: DatabaseSync, sql: string) => ({
        run: (id: number) => {
          writes += 1;
          if (writes === nth) throw new Error('disk I/O error');
          return db.prepare(sql).run(id);
        },
      });
      const own = makeSqliteQueue(
        {
          setUp: (work) => database.setUp(work),
          read: (work, how) => database.read(work, how),
          run: (work, how) => database.run((db) => work(failing(db)), how),
        },
        { clock, monotonic: () => real, groupLimit: 2 },
      );
      await send('a', 2, own);
      await expect(receive(2, own)).rejects.toThrow('disk I/O error');
      expect(own.countInFlight()).toBe(0);
      expect(groups(await receive(2, own))).toBe('aa');
    },
  );

  it('does not let the backlog of one group delay another', async () => {
    await send('a', 10_000);
    await receive(10);
    await send('b', 1);
    expect(groups(await receive(2))).toBe('ab');
  });

  it('serves the groups in turn', async () => {
    for (const group of ['a', 'b', 'c']) await send(group, 3);
    expect([groups(await receive(2)), groups(await receive(2)), groups(await receive(5))]).toEqual([
      'ab',
      'ca',
      'bcabc',
    ]);
  });

  it('serves messages without a group like a group of their own', async () => {
    await send('a', 10);
    await queue.send('webhook-delivery', [{ body: { group: '-' } }]);
    expect(groups(await receive(2))).toContain('-');
  });

  it('limits the messages of a group that are out at once', async () => {
    queue = open({ groupLimit: 2 });
    await send('a', 10);
    await send('b', 10);
    const first = await receive(10);
    expect([groups(first), groups(await receive(10))]).toEqual(['abab', '']);
    await queue.remove(ids(first).slice(0, 1));
    expect(groups(await receive(10))).toBe('a');
  });

  const asked = (kind: string, ofGroup = 10) => queue.receive('webhook-delivery', 10, { kind, ofGroup });

  it('hands out messages of the groups of the requested kind, whoever waits before them', async () => {
    await send('early', 2);
    const kinds = new Map([['early', 'good']]);
    queue.sortGroups('webhook-delivery', (group) => kinds.get(group) ?? 'other');
    for (const group of ['a', 'b', 'c']) await send(group, 2);
    expect([groups(await asked('good')), groups(await asked('none')), groups(await asked('other'))]).toEqual([
      'earlyearly',
      '',
      'abcabc',
    ]);
  });

  it('hands out messages of a group whose kind has changed with those of its new kind', async () => {
    const kinds = new Map([['a', 'slow']]);
    const sortAgain = queue.sortGroups('webhook-delivery', (group) => kinds.get(group) ?? 'quick');
    await send('a', 3);
    expect([groups(await asked('quick')), groups(await asked('slow', 1))]).toEqual(['', 'a']);
    kinds.set('a', 'quick');
    sortAgain('a');
    sortAgain('nobody');
    expect([groups(await asked('slow')), groups(await asked('quick', 3)), groups(await receive(10))]).toEqual([
      '',
      'aa',
      '',
    ]);
  });

  it('does not look at the groups of another kind, however many wait', async () => {
    let looked = 0;
    queue.sortGroups('webhook-delivery', (group) => (group === 'one' ? 'good' : 'bad'));
    for (let n = 0; n < 200; n += 1) await send(`bad_${n}`, 1);
    await send('one', 1);
    queue.sortGroups('webhook-delivery', (group) => {
      looked += 1;
      return group === 'one' ? 'good' : 'bad';
    });
    looked = 0;
    expect(groups(await asked('good'))).toBe('one');
    expect(looked).toBeLessThan(5);
  });

  it('limits the messages of each group as its consumer says', async () => {
    queue.sortGroups('webhook-delivery', (group) => group);
    for (const group of ['a', 'b']) await send(group, 5);
    expect([groups(await asked('a', 1)), groups(await asked('b', 3)), groups(await asked('a', 1))]).toEqual([
      'a',
      'bbb',
      '',
    ]);
  });

  it('returns the group of a message', async () => {
    await send('a', 1);
    await queue.send('webhook-delivery', [{ body: {} }]);
    expect((await receive(2)).map(({ group }) => group)).toEqual(['a', '-']);
  });

  it('does not query groups whose messages are out or delayed', async () => {
    let asked = 0;
    const counting = (db: DatabaseSync): DatabaseSync =>
      Object.assign(Object.create(db) as DatabaseSync, {
        prepare: (sql: string) => {
          asked += 1;
          const statement = db.prepare(sql);
          const all = (...args: Parameters<typeof statement.all>) => {
            asked += 1;
            return statement.all(...args);
          };
          return { all, get: statement.get.bind(statement), run: statement.run.bind(statement) };
        },
      });
    const run = <T>(work: (db: DatabaseSync) => T) => database.run((db) => work(counting(db)));
    queue = makeSqliteQueue(
      { setUp: (work) => database.setUp(work), read: (work) => database.read(work), run },
      { clock, groupLimit: 1 },
    );
    const toHandOut = async (group: string) => {
      await send(group, 1);
      const before = asked;
      expect(groups(await receive(1))).toBe(group);
      return asked - before;
    };
    await receive(1);
    const alone = await toHandOut('a');
    for (let n = 0; n < 500; n += 1) await send(`out_${n}`, 2);
    await receive(500);
    const late = Array.from({ length: 500 }, (_, n) => ({ body: {}, group: `late_${n}`, delaySeconds: 60 }));
    await queue.send('webhook-delivery', late);
    expect(await toHandOut('b')).toBe(alone);
  });

  it('keeps the queues separate', async () => {
    await queue.send('timers', [{ body: { n: 1 } }]);
    expect([await receive(10), (await queue.receive('timers', 10)).length]).toEqual([[], 1]);
  });

  it('hands out each message to one of several concurrent consumers', async () => {
    await send('a', 30);
    const hands = await Promise.all(Array.from({ length: 5 }, () => receive(10)));
    expect(new Set(hands.flatMap(ids)).size).toBe(30);
  });

  it('does not hand out a message again because the clock moved by a month', async () => {
    await send('a', 1);
    await receive(1);
    time += 31 * DAY;
    expect(await receive(1)).toEqual([]);
  });

  it('hands out a message again after its lease in real time', async () => {
    await send('a', 1);
    await receive(1);
    real += 15 * MINUTE;
    expect(await receive(1)).toMatchObject([{ receiveCount: 2 }]);
  });

  it('moves a message to the dead-letter queue after five crashed consumers', async () => {
    await send('a', 1);
    for (let i = 0; i < 6; i += 1) {
      await receive(1);
      real += 15 * MINUTE;
    }
    expect(await queue.deadLetters('webhook-delivery')).toMatchObject([{ body: { group: 'a' }, receiveCount: 5 }]);
  });

  it('hands out after a restart what was out, with its receive count', async () => {
    await send('a', 2);
    await queue.remove(ids(await receive(1)));
    await receive(1);
    expect(await receive(10, open())).toMatchObject([{ body: { n: 1 }, receiveCount: 2 }]);
  });

  it('imports the messages of an older data folder', async () => {
    database.setUp((db) => {
      db.exec('DROP TABLE queue_message');
      db.exec(`
        CREATE TABLE queue_message (
          id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, grp TEXT NOT NULL, visible_at INTEGER NOT NULL,
          receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX queue_message_by_group ON queue_message (queue, grp, visible_at);
        CREATE INDEX queue_message_by_time ON queue_message (queue, visible_at);`);
      db.prepare(
        "INSERT INTO queue_message (queue, grp, visible_at, body) VALUES ('webhook-delivery', 'a', ?, '{\"n\":1}')",
      ).run(time);
    });
    expect(await receive(10, open())).toMatchObject([{ body: { n: 1 }, group: 'a', receiveCount: 1 }]);
  });

  it('keeps a delay across a restart', async () => {
    await queue.send('webhook-delivery', [{ body: {}, delaySeconds: 60 }]);
    const again = open();
    expect(await receive(1, again)).toEqual([]);
    time += MINUTE;
    expect(await receive(1, again)).toHaveLength(1);
  });

  it('moves a message that was out for the last time at a restart to the dead-letter queue', async () => {
    await send('a', 1);
    for (let i = 0; i < 5; i += 1) await receive(1, open());
    const last = open();
    expect(await receive(1, last)).toEqual([]);
    expect(await last.deadLetters('webhook-delivery')).toHaveLength(1);
  });

  it('delays a released message as long as requested', async () => {
    await send('a', 1);
    await queue.release(ids(await receive(1)), 3_600);
    expect([await receive(1), await queue.nextVisibleAt()]).toEqual([[], new Date(time + HOUR)]);
    time += HOUR;
    expect(await receive(1)).toHaveLength(1);
  });

  it('ignores a release of a message that is not out', async () => {
    await send('a', 1);
    const [message] = await receive(1);
    await queue.release([message!.id]);
    await queue.release([message!.id, '999'], 900);
    expect(await receive(1)).toHaveLength(1);
  });

  it('knows what is due next, what is ready and what is out', async () => {
    expect(await queue.nextVisibleAt()).toBeUndefined();
    await queue.send('timers', [{ body: {}, delaySeconds: 30 }]);
    await send('a', 2);
    await receive(1);
    expect([await queue.countReady(clock.now()), queue.countInFlight()]).toEqual([1, 1]);
    expect(await queue.nextVisibleAt('timers')).toEqual(new Date(time + 30_000));
    expect(await queue.countReady(new Date(time + 30_000))).toBe(2);
  });

  it('has nothing due with dead letters only', async () => {
    await send('a', 1);
    for (let i = 0; i < 5; i += 1) await queue.release(ids(await receive(1)));
    expect([await queue.nextVisibleAt(), await queue.countReady(clock.now()), queue.countInFlight()]).toEqual([
      undefined,
      0,
      0,
    ]);
  });

  it('hands out again what it could not commit', async () => {
    let broken = true;
    const run = <T>(work: (db: DatabaseSync) => T) =>
      database.run((db) => {
        const result = work(db);
        if (broken) throw new Error('disk full');
        return result;
      });
    queue = makeSqliteQueue(
      { setUp: (work) => database.setUp(work), read: (work) => database.read(work), run },
      { clock },
    );
    await send('a', 1).catch(() => {
      broken = false;
    });
    await send('a', 1);
    broken = true;
    await expect(receive(1)).rejects.toThrow('disk full');
    broken = false;
    expect(await receive(10)).toMatchObject([{ receiveCount: 1 }]);
  });

  it('notifies its host when there is new work', async () => {
    let told = 0;
    queue = open({
      onChange: () => {
        told += 1;
      },
    });
    await send('a', 1);
    await queue.release(ids(await receive(1)));
    expect(told).toBe(2);
  });
});

describe('the bus of a single host', () => {
  const bus = (queue: SqliteQueue) =>
    inProcessBus(queue, {
      '*': ['webhook-delivery'],
      'payment.*': ['timers', 'webhook-delivery'],
      'invoice.paid': ['timers'],
    });
  const event = (id: string, type: string) => ({ id, type, org_id: 'org_1' });

  it.each([
    ['a type under a pattern', 'payment.created', 1],
    ['an exact type', 'invoice.paid', 1],
    ['a type with the same beginning', 'invoice.paid_late', 0],
    ['a word without a dot', 'payments', 0],
  ])('delivers an event to the consumers of its type once: %s', async (_, type, timers) => {
    start();
    const queue = open();
    await bus(queue).publish([event('evt_1', type)]);
    expect(await queue.receive('timers', 10)).toHaveLength(timers);
    expect(await queue.receive('webhook-delivery', 10)).toMatchObject([
      { body: { id: 'evt_1', type, org_id: 'org_1' } },
    ]);
  });

  it('groups events by their organization', async () => {
    start();
    const queue = open();
    await bus(queue).publish([event('evt_1', 'x'), event('evt_2', 'x'), { ...event('evt_3', 'x'), org_id: 'org_2' }]);
    expect((await queue.receive('webhook-delivery', 2)).map(({ body }) => body.org_id)).toEqual(['org_1', 'org_2']);
  });

  it('passes on the connection of a payment', async () => {
    start();
    const queue = open();
    await bus(queue).publish([{ ...event('evt_1', 'x'), through: { connection_id: 'conn_1', workflow_id: 'wft_1' } }]);
    expect(await queue.receive('webhook-delivery', 1)).toMatchObject([
      { body: { id: 'evt_1', through: { connection_id: 'conn_1', workflow_id: 'wft_1' } } },
    ]);
  });

  it('fails for all queues if one queue rejects an event', async () => {
    start();
    const queue = open();
    database.setUp((db) =>
      db.exec(
        "CREATE TRIGGER full BEFORE INSERT ON queue_message WHEN NEW.queue = 'timers' BEGIN SELECT RAISE(ABORT, 'full'); END",
      ),
    );
    const published = bus(queue).publish([event('evt_1', 'x'), event('evt_2', 'payment.created')]);
    await expect(published).rejects.toMatchObject({ cause: { message: 'full' } });
    expect(await queue.receive('webhook-delivery', 10)).toEqual([]);
    database.setUp((db) => db.exec('DROP TRIGGER full'));
    await bus(queue).publish([event('evt_1', 'x'), event('evt_2', 'payment.created')]);
    expect([(await queue.receive('webhook-delivery', 10)).length, (await queue.receive('timers', 10)).length]).toEqual([
      2, 1,
    ]);
  });

  it('leaves out the queues that an event says it does not need', async () => {
    start();
    const queue = open();
    const marked = { ...event('evt_1', 'payment.created'), workflows: false } as const;
    await inProcessBus(queue, EVENT_QUEUES, SKIPPED_BY).publish([marked, event('evt_2', 'payment.created')]);
    expect((await queue.receive('webhook-delivery', 10)).map(({ body }) => body.id)).toEqual(['evt_1', 'evt_2']);
    expect((await queue.receive('workflow-runs', 10)).map(({ body }) => body.id)).toEqual(['evt_2']);
  });

  it.each(EVENT_TYPES)('delivers %s to webhooks, and to workflows unless it is a webhook test', async (type) => {
    start();
    const queue = open();
    await inProcessBus(queue, EVENT_QUEUES).publish([event('evt_1', type)]);
    expect(await queue.receive('webhook-delivery', 10)).toHaveLength(1);
    expect(await queue.receive('workflow-runs', 10)).toHaveLength(type === 'service.webhook.test' ? 0 : 1);
  });
});
