import { describe, expect, it } from 'vitest';
import { SECOND } from '#shared/kernel/clock.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** Values that count how often they were read. */
function counting() {
  let reads = 0;
  const load = async () => {
    reads += 1;
    return reads;
  };
  return { recent: new RecentReads<number>(2 * SECOND), load };
}

describe('a recent read', () => {
  it('is used again for its time, and then made again', async () => {
    const { recent, load } = counting();
    const values: number[] = [];
    for (const ms of [0, 2_000, 2_001, 4_001, 4_002]) values.push(await recent.read('a', later(ms), load));
    expect(values).toEqual([1, 1, 2, 2, 3]);
  });

  it('is one for callers at the same time, and one for each key', async () => {
    const { recent, load } = counting();
    const keys = ['a', 'a', 'b', 'a'];
    expect(await Promise.all(keys.map((key) => recent.read(key, START, load)))).toEqual([1, 1, 2, 1]);
  });

  it.each([
    ['is used if it is later than what the caller knows of', 99, 1],
    ['is made again if it is not later than what the caller knows of', 100, 2],
  ])('%s', async (_, since, expected) => {
    const { recent, load } = counting();
    await recent.read('a', later(100), load);
    expect(await recent.read('a', later(200), load, later(since))).toBe(expected);
  });

  it('is made again after it was forgotten, also if it was running then', async () => {
    const { recent, load } = counting();
    const { promise, resolve } = Promise.withResolvers<number>();
    const running = recent.read('a', START, () => promise);
    recent.forget('a');
    resolve(0);
    expect([await running, await recent.read('a', START, load)]).toEqual([0, 1]);
  });

  it('is made by each caller itself if the shared one failed', async () => {
    const { recent, load } = counting();
    const failed = recent.read('a', START, () => Promise.reject(new Error('down')));
    const other = recent.read('a', START, load);
    await expect(failed).rejects.toThrow('down');
    expect(await other).toBe(1);
  });

  it('is made by the caller itself if the shared one does not end, as its process may have died', async () => {
    const { recent, load } = counting();
    void recent.read('a', START, () => new Promise<number>(() => undefined));
    expect(await recent.read('a', START, load)).toBe(1);
  });

  it('is kept for the latest thousand keys', async () => {
    const { recent, load } = counting();
    for (let n = 0; n <= 1_000; n += 1) await recent.read(`key ${n}`, START, load);
    expect([await recent.read('key 1', START, load), await recent.read('key 0', START, load)]).toEqual([2, 1_002]);
  });
});
