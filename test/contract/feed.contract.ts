import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeFeed } from '#lib/local/change-feed.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

export type FeedUnderTest = {
  readonly table: TablePort;
  readonly feed: ChangeFeed;
  /** Reopens the same files, as after a restart. */
  readonly reopen: () => Promise<FeedUnderTest>;
  readonly close: () => Promise<void>;
};

const KEY = { pk: 'a', sk: 'b' };

/** What the consumers `relay` and `projector` can rely on, for every kind of table. */
export function feedContract(name: string, open: () => Promise<FeedUnderTest>): void {
  describe(`the change feed of ${name}`, () => {
    let opened: FeedUnderTest;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const put = (...sortKeys: readonly string[]) =>
      Promise.all(sortKeys.map((sk) => opened.table.put({ pk: 'a', sk })));
    const read = async (consumer = 'relay', limit = 100) => opened.feed.read(consumer, limit);
    const sortKeys = async (consumer?: string, limit?: number) =>
      (await read(consumer, limit)).map(({ key }) => key.sk);

    it('returns each change with the item before and after it', async () => {
      await opened.table.put({ ...KEY, n: 1 });
      await opened.table.update(KEY, { add: { n: 1 } });
      await opened.table.delete(KEY);
      expect(await read()).toEqual([
        { seq: expect.any(String), key: KEY, old: undefined, new: { ...KEY, n: 1 } },
        { seq: expect.any(String), key: KEY, old: { ...KEY, n: 1 }, new: { ...KEY, n: 2 } },
        { seq: expect.any(String), key: KEY, old: { ...KEY, n: 2 }, new: undefined },
      ]);
    });

    it('keeps the order of writes, also as text', async () => {
      for (let n = 0; n < 20; n += 1) await put(String(n));
      const records = await read();
      expect(records.map(({ key }) => Number(key.sk))).toEqual(Array.from({ length: 20 }, (_, n) => n));
      expect(records.map(({ seq }) => seq).toSorted()).toEqual(records.map(({ seq }) => seq));
    });

    it('returns all changes of a transaction, and none of a failed one', async () => {
      const { table } = opened;
      await table.transact(
        [
          { put: { pk: 'a', sk: '1' } },
          { put: { pk: 'a', sk: '2' } },
          { check: { pk: 'a', sk: '3' }, condition: { absent: 'pk' } },
        ],
        'one',
      );
      await table.transact(
        [{ put: { pk: 'a', sk: '4' } }, { check: { pk: 'a', sk: '3' }, condition: { exists: 'pk' } }],
        'two',
      );
      expect((await sortKeys()).toSorted()).toEqual(['1', '2']);
    });

    it('returns nothing for failed conditions and writes without effect', async () => {
      await opened.table.put({ ...KEY, n: 1 });
      await opened.table.put({ ...KEY, n: 2 }, { absent: 'pk' });
      await opened.table.put({ ...KEY, n: 1 });
      await opened.table.delete({ pk: 'a', sk: 'never there' });
      expect(await read()).toHaveLength(1);
    });

    it('repeats what was not checkpointed, and continues after the checkpoint, for each consumer separately', async () => {
      for (const sk of ['1', '2', '3']) await put(sk);
      const [first, second] = await read('relay', 2);
      expect(await sortKeys('relay', 2)).toEqual(['1', '2']);
      await opened.feed.checkpoint('relay', first!.seq);
      expect(await sortKeys('relay', 2)).toEqual(['2', '3']);
      await opened.feed.checkpoint('relay', second!.seq);
      expect([await sortKeys('relay'), await sortKeys('projector')]).toEqual([['3'], ['1', '2', '3']]);
    });

    it('continues after a restart where its consumers were', async () => {
      for (const sk of ['1', '2']) await put(sk);
      await opened.feed.checkpoint('relay', (await read('relay', 1))[0]!.seq);
      opened = await opened.reopen();
      expect([opened.feed.pending('relay'), await sortKeys('relay'), await sortKeys('projector')]).toEqual([
        true,
        ['2'],
        ['1', '2'],
      ]);
    });

    it('knows which consumers have unread changes', async () => {
      for (const consumer of ['relay', 'projector']) await read(consumer);
      expect([opened.feed.pending('relay'), opened.feed.pending('projector')]).toEqual([false, false]);
      await put('1');
      await opened.feed.checkpoint('relay', (await read('relay'))[0]!.seq);
      await read('relay');
      expect([opened.feed.pending('relay'), opened.feed.pending('projector')]).toEqual([false, true]);
    });

    it('returns everything that was written before the read', async () => {
      for (let n = 0; n < 20; n += 1) {
        await put(`${n} a`, `${n} b`);
        const records = await read();
        expect(records.map(({ key }) => key.sk).toSorted()).toEqual([`${n} a`, `${n} b`]);
        await opened.feed.checkpoint('relay', records.at(-1)!.seq);
      }
    });

    it('notifies its listeners after changes, until they unsubscribe', async () => {
      let woken = 0;
      const leave = opened.feed.onChange(() => {
        woken += 1;
      });
      await put('1');
      const before = woken;
      leave();
      await put('2');
      expect([before, woken]).toEqual([1, 1]);
    });

    it('rejects consumers that it was not created for', () =>
      expect(read('someone')).rejects.toThrow('someone does not follow'));
  });
}
