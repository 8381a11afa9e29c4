import { describe, expect, it } from 'vitest';
import type { Range, TablePort } from '#shared/store/table/table.port.ts';
import { fresh, queryAll, seed } from '#test/contract/table/fresh.ts';

const SORTED = ['a', 'a#1', 'a#2', 'a\uD7FF', 'a\uE000', 'a\uFFFF', 'a\u{10FFFF}', 'a\u{10FFFF}z', 'b', 'b#', 'c'];
/** U+E000 comes before 😀 in UTF-8 and after it in UTF-16. */
const BY_BYTES = ['A', 'Z', 'a', 'a\u0000', 'a\u0000b', 'aa', 'z', 'é', '\uE000', '\uFFFD', '😀', '\u{10FFFF}'];

const RANGES: readonly (readonly [string, Range, readonly string[]])[] = [
  ['ge', { ge: 'b' }, ['b', 'b#', 'c']],
  ['gt', { gt: 'b' }, ['b#', 'c']],
  ['le', { le: 'a#1' }, ['a', 'a#1']],
  ['lt', { lt: 'a#1' }, ['a']],
  ['between, both ends included', { between: ['a#2', 'a\uFFFF'] }, ['a#2', 'a\uD7FF', 'a\uE000', 'a\uFFFF']],
  ['between one and the same', { between: ['b', 'b'] }, ['b']],
  ['prefix', { prefix: 'a#' }, ['a#1', 'a#2']],
  ['prefix that is a whole key', { prefix: 'b' }, ['b', 'b#']],
  ['prefix that ends at the last code point', { prefix: 'a\u{10FFFF}' }, ['a\u{10FFFF}', 'a\u{10FFFF}z']],
  ['prefix that ends before the surrogates', { prefix: 'a\uD7FF' }, ['a\uD7FF']],
  ['prefix without match', { prefix: 'd' }, []],
  ['% and _ as themselves', { prefix: '%' }, []],
];

export function pagesContract(table: () => TablePort): void {
  const page = async (pk: string, more: object = {}) =>
    (await table().query({ pk, limit: 50, consistent: true, ...more })).items.map((item) => item.sk);

  describe('a query of the table', () => {
    it('returns whole items of its partition only', async () => {
      const [pk, other] = [fresh(), fresh()];
      await seed(table(), pk, ['1', '2'], (n) => ({ n, deep: [n] }));
      await seed(table(), other, ['1']);
      const { items, next } = await table().query({ pk, limit: 3 });
      expect(items).toEqual([
        { pk, sk: '1', n: 0, deep: [0] },
        { pk, sk: '2', n: 1, deep: [1] },
      ]);
      expect(next).toBeUndefined();
      expect(await table().query({ pk: fresh(), limit: 1 })).toEqual({ items: [], next: undefined });
    });

    it('orders items by the UTF-8 bytes of their sort keys, in both directions', async () => {
      const pk = fresh();
      await seed(table(), pk, [...BY_BYTES].reverse());
      expect(await page(pk)).toEqual(BY_BYTES);
      expect(await page(pk, { newestFirst: true })).toEqual([...BY_BYTES].reverse());
      expect(await page(pk, { range: { gt: '\uFFFD' } })).toEqual(['😀', '\u{10FFFF}']);
    });

    it.each(RANGES)('returns only items in its range: %s', async (_, range, expected) => {
      const pk = fresh();
      await seed(table(), pk, SORTED);
      expect(await page(pk, { range })).toEqual(expected);
      expect(await page(pk, { range, newestFirst: true })).toEqual([...expected].reverse());
    });

    it.each([
      ['oldest first', false, [['1', '2'], ['3', '4'], ['5']]],
      ['newest first', true, [['5', '4'], ['3', '2'], ['1']]],
    ])('continues from its cursor, %s', async (_, newestFirst, expected) => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2', '3', '4', '5']);
      const pages = await queryAll((after) => table().query({ pk, limit: 2, after, newestFirst }));
      expect(pages.map((items) => items.map((item) => item.sk))).toEqual(expected);
    });

    it('has a cursor at the exact end, and an empty page after it', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2', '3', '4']);
      const pages = await queryAll((after) => table().query({ pk, limit: 2, after }));
      expect(pages.map((items) => items.length)).toEqual([2, 2, 0]);
    });

    it('can have a cursor at the exact end of a range, and an empty page after it', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2', '3', '4', '5']);
      const [first, second, ...empty] = await queryAll((after) =>
        table().query({ pk, limit: 2, after, range: { le: '4' } }),
      );
      expect([first?.length, second?.length, empty.flat().length]).toEqual([2, 2, 0]);
    });

    it('continues from a cursor whose item was deleted', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2', '3']);
      const first = await table().query({ pk, limit: 2 });
      await table().delete({ pk, sk: '2' });
      expect((await table().query({ pk, limit: 2, after: first.next, consistent: true })).items).toEqual([
        { pk, sk: '3' },
      ]);
    });

    it('filters after its limit, so that an empty page can have a next page', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2', '3', '4', '5'], (n) => ({ n, even: n % 2 === 0 ? true : null }));
      const pages = await queryAll((after) =>
        table().query({ pk, limit: 2, after, filter: { all: [{ eq: ['even', true] }, { ge: ['n', 2] }] } }),
      );
      expect(pages.map((items) => items.map((item) => item.sk))).toEqual([[], ['3'], ['5']]);
    });
  });
}
