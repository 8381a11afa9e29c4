import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { FaultInjector } from '#lib/local/faults.ts';
import { Invocations, intercepted } from '#lib/local/invocation.ts';
import { startQueue } from '#lib/local/queue-loop.ts';
import { startRelay } from '#lib/local/relay-loop.ts';
import { createSemaphore } from '#lib/local/semaphore.ts';
import { Signal } from '#lib/local/signal.ts';
import { makeSqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { monotonic, systemClock } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteFeed } from '#shared/store/sqlite/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';

const silent: LogPort = { info: () => {}, warn: () => {}, error: () => {} };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function until(isSo: () => boolean | Promise<boolean>, progress: Signal): Promise<void> {
  for (let seen = progress.count; !(await isSo()); seen = progress.count) await progress.wait(seen, 50);
}

describe('the relay loop', () => {
  function aRelay(relay: (seqs: readonly number[]) => Promise<{ readonly retryFrom?: number }>, windowMs?: number) {
    const database = openDatabase(':memory:');
    const table = new SqliteTable({ database });
    const feed = new SqliteFeed({ database, consumers: ['relay'] });
    const progress = new Signal();
    const loop = startRelay({
      feed,
      invocations: new Invocations(),
      log: silent,
      progress,
      ...(windowMs !== undefined && { windowMs }),
      relay: async (records) => {
        const { retryFrom } = await relay(records.map(({ seq }) => Number(seq)));
        return retryFrom === undefined ? {} : { retryFrom: String(retryFrom).padStart(16, '0') };
      },
    });
    closers.push(loop.close);
    const change = (n: number) => table.put({ pk: 'A', sk: 'A', n });
    return { change, atRest: () => until(loop.idle, progress), hurry: loop.hurry };
  }

  /** A relay that notes its batches. */
  function aNotingRelay(windowMs: number) {
    const batches: number[] = [];
    const relay = aRelay(async ({ length }) => {
      batches.push(length);
      return {};
    }, windowMs);
    return { ...relay, batches };
  }

  it('passes on changes in order', async () => {
    const got: number[] = [];
    const { change, atRest } = aRelay(async (seqs) => {
      got.push(...seqs);
      return {};
    });
    for (const n of [1, 2, 3]) await change(n);
    await atRest();
    expect(got).toEqual([1, 2, 3]);
  });

  it('repeats a batch that failed, and skips none', async () => {
    const tries: number[][] = [];
    const { change, atRest } = aRelay(async (seqs) => {
      tries.push([...seqs]);
      if (tries.length < 3) throw new Error('not now');
      return {};
    });
    await change(1);
    await atRest();
    expect(tries).toEqual([[1], [1], [1]]);
  });

  it('continues from where it is told to resume', async () => {
    const tries: number[][] = [];
    const { change, atRest } = aRelay(async (seqs) => {
      tries.push([...seqs]);
      return seqs.includes(1) && seqs.length > 1 ? { retryFrom: 2 } : {};
    });
    await Promise.all([change(1), change(2), change(3)]);
    await atRest();
    expect(tries).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
  });

  it('lets the changes of a window make one batch', async () => {
    const { change, atRest, batches } = aNotingRelay(100);
    for (const n of [1, 2, 3]) {
      await change(n);
      await pause(5);
    }
    await atRest();
    expect(batches).toEqual([3]);
  });

  it('waits for no window while somebody waits for it to be at rest', async () => {
    const { change, atRest, hurry, batches } = aNotingRelay(60_000);
    await change(1);
    const calm = hurry();
    await atRest();
    await change(2);
    await atRest();
    calm();
    expect(batches).toEqual([1, 1]);
  });
});

describe('a queue loop', () => {
  const BACK_OFF_MS = 10;

  function aQueue(consume: (n: number, receiveCount: number) => Promise<void>, failingWrites = 0) {
    const woken = new Signal();
    const progress = new Signal();
    const faults = new FaultInjector();
    const invocations = new Invocations((call) => faults.faultFor(call));
    const queue = makeSqliteQueue(openDatabase(':memory:'), { clock: systemClock, onChange: () => woken.raise() });
    const bare = { consume };
    const called = intercepted(invocations, 'queue', bare);
    const options = {
      name: 'timers',
      timeoutMs: 1_000,
      queue,
      clock: systemClock,
      invocations,
      log: silent,
      woken,
      progress,
      backOffMs: BACK_OFF_MS,
    } as const;
    let left = failingWrites;
    const failing =
      (write: (ids: readonly string[]) => Promise<void>) =>
      async (ids: readonly string[]): Promise<void> => {
        left -= 1;
        if (left >= 0) throw new Error('The disk is full.');
        return write(ids);
      };
    const loop = startQueue({
      ...options,
      queue: { ...queue, remove: failing(queue.remove), release: failing(queue.release) },
      consume: (body, receiveCount) => called.consume(Number(body.n), receiveCount),
    });
    closers.push(loop.close);
    const isIdle = async () => queue.countInFlight() === 0 && (await queue.countReady(systemClock.now())) === 0;
    return {
      queue,
      faults,
      send: (n: number) => queue.send('timers', [{ body: { n } }]),
      atRest: () => until(isIdle, progress),
    };
  }

  it('passes each message to the function', async () => {
    const got: number[] = [];
    const { send, atRest } = aQueue(async (n) => void got.push(n));
    for (const n of [1, 2, 3]) await send(n);
    await atRest();
    expect(got.toSorted()).toEqual([1, 2, 3]);
  });

  it('delivers a failed message again', async () => {
    let tries = 0;
    const { queue, send, atRest } = aQueue(async () => {
      tries += 1;
      if (tries === 1) throw new Error('not now');
    });
    await send(1);
    await atRest();
    expect({ tries, dead: await queue.deadLetters('timers') }).toEqual({ tries: 2, dead: [] });
  });

  it.each([
    ['handled', 1],
    ['failed', 2],
  ])('does not keep a message out that was %s while nothing could be written', async (_, expected) => {
    let tries = 0;
    const consume = async () => {
      tries += 1;
      if (tries < expected) throw new Error('not now');
    };
    const { queue, send, atRest } = aQueue(consume, 2);
    await send(1);
    await atRest();
    expect({ tries, out: queue.countInFlight() }).toEqual({ tries: expected, out: 0 });
  });

  it('delivers a message again whose function crashed', async () => {
    const got: number[] = [];
    const { faults, send, atRest } = aQueue(async (n) => void got.push(n));
    faults.add({ point: 'queue', nth: 1, kind: 'crash', when: 'before', handler: 'timers' });
    await send(1);
    await atRest();
    expect(got).toEqual([1]);
  });

  it('moves a message to the dead-letter queue after its last attempt', async () => {
    const { queue, send, atRest } = aQueue(() => Promise.reject(new Error('never')));
    await send(1);
    await atRest();
    expect(await queue.deadLetters('timers')).toMatchObject([{ body: { n: 1 }, receiveCount: 5 }]);
  });

  it('counts the deliveries of a message, and waits four times as long after each failure', async () => {
    const [counts, begun] = [[] as number[], [] as number[]];
    const { send, atRest } = aQueue(async (_, receiveCount) => {
      counts.push(receiveCount);
      begun.push(monotonic());
      throw new Error('never');
    });
    await send(1);
    await atRest();
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    const rests = begun.slice(1).map((at, n) => at - (begun[n] ?? 0));
    // A Node timer may fire a millisecond early.
    for (const [n, rest] of rests.entries()) expect(rest).toBeGreaterThanOrEqual(BACK_OFF_MS * 4 ** n - 1);
  });
});

describe('a queue loop whose messages wait for slow endpoints', () => {
  const QUIET_MS = 150;
  type Waiting = Parameters<typeof startQueue>[0];

  /** Messages of a silent group wait until the end; `begun` has the group of each started message. */
  function aWaitingQueue({ name = 'webhook-delivery', waits = true }: Partial<Pick<Waiting, 'name' | 'waits'>> = {}) {
    const [woken, progress] = [new Signal(), new Signal()];
    let released = Promise.withResolvers<void>();
    const [silentGroups, begun] = [new Set<string>(), [] as string[]];
    const queue = makeSqliteQueue(openDatabase(':memory:'), {
      clock: systemClock,
      groupLimit: 4,
      onChange: () => woken.raise(),
    });
    const options = {
      name,
      timeoutMs: 60_000,
      waits,
      queue,
      clock: systemClock,
      log: silent,
      woken,
      progress,
    } as const;
    const consume = async ({ group }: { readonly group?: string }) => {
      begun.push(String(group));
      progress.raise();
      if (silentGroups.has(String(group))) await released.promise;
    };
    const loop = startQueue({ ...options, invocations: new Invocations(), consume });
    closers.push(async () => {
      released.resolve();
      await loop.close();
    });
    const times = (group: string) => begun.filter((each) => each === group).length;
    return {
      begun,
      times,
      send: (group: string, count = 1) =>
        queue.send(
          name,
          Array.from({ length: count }, () => ({ body: { group }, group })),
        ),
      falls: (...groups: readonly string[]) => {
        for (const group of groups) silentGroups.add(group);
      },
      /** All silent groups respond now, and stay responsive. */
      answers: async () => {
        silentGroups.clear();
        released.resolve();
        released = Promise.withResolvers();
        await until(() => queue.countInFlight() === 0, progress);
      },
      done: (group: string, count: number) => until(() => times(group) === count, progress),
      allBegun: (count: number) => until(() => begun.length >= count, progress),
      inFlight: () => queue.countInFlight(),
    };
  }
  const names = (count: number) => Array.from({ length: count }, (_, n) => `silent_${n}`);

  it('starts other messages while more groups are silent than there are permits', async () => {
    const { send, falls, done, times } = aWaitingQueue();
    falls(...names(60));
    for (const group of names(60)) await send(group);
    await send('new');
    await done('new', 1);
    await done('silent_59', 1);
    expect(times('silent_0')).toBe(1);
  });

  it('serves groups that were quick the last time before unknown ones', async () => {
    const { send, falls, done, begun } = aWaitingQueue();
    await send('quick');
    await done('quick', 1);
    falls(...names(60));
    for (const group of names(60)) await send(group);
    await send('quick');
    await done('quick', 2);
    expect(begun.length).toBeLessThan(30);
  });

  it('serves unknown groups before those that were silent the last time', async () => {
    const { send, falls, allBegun, done, begun } = aWaitingQueue();
    falls(...names(3));
    for (const group of names(3)) await send(group);
    await allBegun(3);
    await pause(1_100);
    await Promise.all([send('silent_0', 2), send('new')]);
    await done('silent_0', 3);
    await done('new', 1);
    expect(begun[3]).toBe('new');
  });

  it('serves groups that are slow but respond before unknown ones', async () => {
    const { send, falls, answers, done, begun } = aWaitingQueue();
    falls('slow');
    await send('slow');
    await done('slow', 1);
    await pause(1_100);
    await answers();
    falls(...names(60));
    for (const group of names(60)) await send(group);
    await send('slow');
    await done('slow', 2);
    expect(begun.length).toBeLessThan(30);
  });

  it('gives a group that was quick the last time more messages at once than others, up to 256', async () => {
    const { send, falls, done, times, inFlight } = aWaitingQueue();
    await send('quick');
    await done('quick', 1);
    falls('quick');
    await send('quick', 300);
    await done('quick', 257);
    await pause(QUIET_MS);
    expect([times('quick'), inFlight()]).toEqual([257, 256]);
  });

  it('does not let groups whose work never ends hold up others, also where all of it is work', async () => {
    const { send, falls, done, times } = aWaitingQueue({ name: 'renewals', waits: false });
    falls(...names(3));
    for (const group of names(3)) await send(group, 20);
    await send('other', 3);
    await done('other', 3);
    expect(Math.max(...names(3).map(times))).toBeLessThanOrEqual(12);
  });

  it('gives a silent group no more concurrency than any other', async () => {
    const { send, falls, allBegun, begun, inFlight } = aWaitingQueue();
    falls('silent');
    await send('silent', 10);
    await allBegun(4);
    await pause(QUIET_MS);
    expect([begun.length, inFlight()]).toEqual([4, 4]);
  });
});

describe('the semaphore', () => {
  const maxHoldMs = 20;
  const waited = () => pause(3 * maxHoldMs);

  it('releases the permit of a task that only waits, and no other permit', async () => {
    let notified = 0;
    const onFree = () => {
      notified += 1;
    };
    const { free, acquire } = createSemaphore({ permits: 2, maxHoldMs, maxWaiting: 10, onFree });
    const release = acquire();
    expect(free()).toBe(1);
    await waited();
    expect([free(), notified]).toEqual([2, 1]);
    release();
    expect([free(), notified]).toEqual([2, 2]);
  });

  it('keeps a permit to the end if tasks never wait', async () => {
    const { free, acquire } = createSemaphore({ permits: 2, onFree: () => undefined });
    const release = acquire();
    await waited();
    expect(free()).toBe(1);
    release();
    expect(free()).toBe(2);
  });

  it('keeps a permit while the most allowed tasks wait, and releases it once one of them ends', async () => {
    const { free, acquire } = createSemaphore({ permits: 2, maxHoldMs, maxWaiting: 1, onFree: () => undefined });
    const release = acquire();
    await waited();
    acquire();
    await waited();
    expect(free()).toBe(1);
    release();
    await waited();
    expect(free()).toBe(2);
  });
});
