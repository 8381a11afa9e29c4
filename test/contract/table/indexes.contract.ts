import { describe, expect, it } from 'vitest';
import { INDEXES, type IndexName, type TablePort } from '#shared/store/table/table.port.ts';
import { fresh, queryAll, seed } from '#test/contract/table/fresh.ts';

export function indexesContract(table: () => TablePort): void {
  const placed = async (part: string, index: IndexName = 'due') =>
    (await table().entries(index, { pk: part, limit: 50 })).items.map(({ sk, at }) => `${sk}@${at}`);

  describe.each(Object.keys(INDEXES) as IndexName[])('the index %s', (index) => {
    it('returns the keys and the sort key of its entries, and nothing else', async () => {
      const [pk, part] = [fresh(), fresh()];
      const [partition, sort] = INDEXES[index];
      await table().put({ pk, sk: 'x', [partition]: part, [sort]: 'noon', more: 1 });
      expect(await table().entries(index, { pk: part, limit: 2 })).toEqual({
        items: [{ pk, sk: 'x', at: 'noon' }],
        next: undefined,
      });
    });
  });

  describe('an index', () => {
    it('contains an item only while it has both attributes', async () => {
      const [pk, part] = [fresh(), fresh()];
      await table().put({ pk, sk: 'a', due_pk: part, due_sk: '1' });
      await table().put({ pk, sk: 'b', due_pk: part });
      await table().put({ pk, sk: 'c', due_sk: '1' });
      expect(await placed(part)).toEqual(['a@1']);
      await table().update({ pk, sk: 'b' }, { set: { due_sk: '2' } });
      await table().update({ pk, sk: 'a' }, { remove: ['due_sk'] });
      expect(await placed(part)).toEqual(['b@2']);
    });

    it('follows the moves, replacements and deletions of items', async () => {
      const [pk, part, other] = [fresh(), fresh(), fresh()];
      await seed(table(), pk, ['a', 'b', 'c'], (n) => ({
        due_pk: part,
        due_sk: String(n),
        status_pk: part,
        status_sk: `s${n}`,
      }));
      await table().update({ pk, sk: 'a' }, { set: { due_sk: '9' } });
      await table().update({ pk, sk: 'b' }, { set: { due_pk: other } });
      await table().put({ pk, sk: 'c' });
      expect([await placed(part), await placed(other), await placed(part, 'status')]).toEqual([
        ['a@9'],
        ['b@1'],
        ['a@s0', 'b@s1'],
      ]);
      await table().delete({ pk, sk: 'a' });
      await table().update({ pk, sk: 'b' }, { set: { unrelated: true } });
      expect([await placed(part), await placed(other), await placed(part, 'status')]).toEqual([[], ['b@1'], ['b@s1']]);
    });

    it('pages once through many items with the same sort key, per partition', async () => {
      const [part, ...partitions] = [fresh(), fresh(), fresh(), fresh()];
      for (const pk of partitions)
        await seed(table(), pk, ['x', 'y'], (n) => ({ list_pk: part, list_sk: n === 0 ? 'same' : 'later' }));
      for (const newestFirst of [false, true]) {
        const pages = await queryAll((after) => table().entries('list', { pk: part, limit: 2, after, newestFirst }));
        const places = pages.flat().map(({ at }) => at);
        expect(new Set(pages.flat().map(({ pk, sk }) => pk + sk)).size).toBe(6);
        expect(places).toEqual(
          ['later', 'later', 'later', 'same', 'same', 'same'].toSorted(
            newestFirst ? (a, b) => (a < b ? 1 : -1) : undefined,
          ),
        );
        expect(pages.at(-1)).toEqual([]);
      }
    });

    it('returns a range in the order of UTF-8 bytes', async () => {
      const [pk, part] = [fresh(), fresh()];
      const places = ['2026-01', '2026-02', '2026-03', '\uE000', '😀'];
      await seed(table(), pk, ['a', 'b', 'c', 'd', 'e'], (n) => ({ due_pk: part, due_sk: places[n] }));
      const within = async (range: object) =>
        (await table().entries('due', { pk: part, limit: 9, ...range })).items.map(({ at }) => at);
      expect(await within({ range: { le: '2026-02' } })).toEqual(['2026-01', '2026-02']);
      expect(await within({ range: { prefix: '2026-' }, newestFirst: true })).toEqual([
        '2026-03',
        '2026-02',
        '2026-01',
      ]);
      expect(await within({ range: { gt: '2026-03' } })).toEqual(['\uE000', '😀']);
    });

    it('counts entries page by page', async () => {
      const [pk, part] = [fresh(), fresh()];
      await seed(table(), pk, ['a', 'b', 'c', 'd', 'e'], (n) => ({ customer_pk: part, customer_sk: String(n) }));
      expect(await table().count('customer', { pk: part, limit: 9 })).toEqual({ count: 5, next: undefined });
      expect((await table().count('customer', { pk: part, limit: 9, range: { ge: '3' } })).count).toBe(2);
      const first = await table().count('customer', { pk: part, limit: 3 });
      expect([first.count, (await table().count('customer', { pk: part, limit: 3, after: first.next })).count]).toEqual(
        [3, 2],
      );
      expect(
        (await table().entries('customer', { pk: part, limit: 3, after: first.next })).items.map(({ sk }) => sk),
      ).toEqual(['d', 'e']);
    });

    it('follows the writes of transactions', async () => {
      const [pk, part] = [fresh(), fresh()];
      await seed(table(), pk, ['a', 'b'], () => ({ due_pk: part, due_sk: '1' }));
      await table().transact(
        [{ delete: { pk, sk: 'a' } }, { update: { pk, sk: 'b' }, change: { set: { due_sk: '2' } } }],
        fresh(),
      );
      expect(await placed(part)).toEqual(['b@2']);
    });
  });
}
