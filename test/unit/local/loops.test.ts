import { afterEach, describe, expect, it } from 'vitest';
import { FaultBook } from '#lib/local/faults.ts';
import { Invocations, intercepted } from '#lib/local/invocation.ts';
import { startQueue } from '#lib/local/queue-loop.ts';
import { startRelay } from '#lib/local/relay-loop.ts';
import { Signal } from '#lib/local/signal.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { makeSqliteQueue } from '#shared/local/sqlite-queue.adapter.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { openDatabase } from '#shared/store/sqlite-commit.ts';
import { SqliteFeed } from '#shared/store/sqlite-feed.adapter.ts';
import { SqliteTable } from '#shared/store/sqlite-table.adapter.ts';

const silent: LogPort = { info: () => {}, warn: () => {}, error: () => {} };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function until(isSo: () => boolean | Promise<boolean>, progress: Signal): Promise<void> {
  for (let seen = progress.count; !(await isSo()); seen = progress.count) await progress.wait(seen, 50);
}

describe('the relay loop', () => {
  function aRelay(relay: (seqs: readonly number[]) => Promise<{ readonly retryFrom?: number }>) {
    const database = openDatabase(':memory:');
    const table = new SqliteTable({ database });
    const feed = new SqliteFeed({ database, consumers: ['relay'] });
    const progress = new Signal();
    const loop = startRelay({
      feed,
      invocations: new Invocations(),
      log: silent,
      progress,
      relay: async (records) => {
        const { retryFrom } = await relay(records.map(({ seq }) => Number(seq)));
        return retryFrom === undefined ? {} : { retryFrom: String(retryFrom).padStart(16, '0') };
      },
    });
    closers.push(loop.close);
    const change = (n: number) => table.put({ pk: 'A', sk: 'A', n });
    return { change, atRest: () => until(loop.idle, progress) };
  }

  it('passes changes on in their order', async () => {
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

  it('goes on from where it is told to', async () => {
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
});

describe('a queue loop', () => {
  function aQueue(consume: (n: number) => Promise<void>) {
    const woken = new Signal();
    const progress = new Signal();
    const faults = new FaultBook();
    const invocations = new Invocations((call) => faults.interfere(call));
    const queue = makeSqliteQueue(openDatabase(':memory:'), { clock: systemClock, onChange: () => woken.raise() });
    const bare = { consume: (n: number) => consume(n) };
    const called = intercepted(invocations, 'queue', bare);
    const options = { name: 'timers', timeoutMs: 1_000, queue, clock: systemClock, invocations, log: silent, woken, progress } as const;
    const loop = startQueue({ ...options, consume: (body) => called.consume(Number(body.n)) });
    closers.push(loop.close);
    const isIdle = async () => queue.countInFlight() === 0 && (await queue.countReady(systemClock.now())) === 0;
    return { queue, faults, send: (n: number) => queue.send('timers', [{ body: { n } }]), atRest: () => until(isIdle, progress) };
  }

  it('hands each message to the function', async () => {
    const got: number[] = [];
    const { send, atRest } = aQueue(async (n) => void got.push(n));
    for (const n of [1, 2, 3]) await send(n);
    await atRest();
    expect(got.toSorted()).toEqual([1, 2, 3]);
  });

  it('brings a failed message again', async () => {
    let tries = 0;
    const { queue, send, atRest } = aQueue(async () => {
      tries += 1;
      if (tries === 1) throw new Error('not now');
    });
    await send(1);
    await atRest();
    expect({ tries, dead: await queue.deadLetters('timers') }).toEqual({ tries: 2, dead: [] });
  });

  it('brings a message again whose function crashed', async () => {
    const got: number[] = [];
    const { faults, send, atRest } = aQueue(async (n) => void got.push(n));
    faults.add({ point: 'queue', nth: 1, kind: 'crash', when: 'before', handler: 'timers' });
    await send(1);
    await atRest();
    expect(got).toEqual([1]);
  });

  it('lays a message aside after its last try', async () => {
    const { queue, send, atRest } = aQueue(() => Promise.reject(new Error('never')));
    await send(1);
    await atRest();
    expect(await queue.deadLetters('timers')).toMatchObject([{ body: { n: 1 }, receiveCount: 5 }]);
  });
});
