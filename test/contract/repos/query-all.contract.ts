import { describe, expect, it } from 'vitest';
import { queryAll } from '#shared/store/read-all.ts';
import { memoryStore } from '#test/support/memory-store.ts';

export function allPagesOf(): void {
  describe('queryAll', () => {
    const at = (n: number) => ({ pk: 'X', sk: `x${n}`, even: n % 2 === 0 });

    it.each([
      ['fits on one page', 10, {}, [0, 1, 2, 3, 4, 5]],
      ['ends with a full page', 3, {}, [0, 1, 2, 3, 4, 5]],
      ['has many pages', 1, { newestFirst: true }, [5, 4, 3, 2, 1, 0]],
      ['has pages without matches', 1, { filter: { eq: ['even', true] } }, [0, 2, 4]],
      ['is limited to a range', 2, { range: { ge: 'x3' } }, [3, 4, 5]],
    ] as const)('returns all items when the partition %s', async (_, limit, more, expected) => {
      const { table } = memoryStore();
      for (let n = 0; n < 6; n += 1) await table.put(at(n));
      await table.put({ ...at(1), pk: 'Y' });
      expect(await queryAll(table, { pk: 'X', limit, ...more })).toEqual(expected.map(at));
    });
  });
}
