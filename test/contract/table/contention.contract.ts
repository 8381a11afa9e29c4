import { describe, expect, it } from 'vitest';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { fresh } from '#test/contract/table/fresh.ts';

const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

export function contentionContract(table: () => TablePort): void {
  describe('concurrent writes of the table', () => {
    it('succeed exactly as often as their condition allows', async () => {
      const key = { pk: fresh(), sk: 'x' };
      const count = () => table().update(key, { add: { n: 1 } }, { any: [{ absent: 'n' }, { lt: ['n', 100] }] });
      const answers = await times(250, count);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(100);
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, n: 100 });
    });

    it('add up without losing an addition', async () => {
      const key = { pk: fresh(), sk: 'x' };
      const seen = await times(200, () => table().update(key, { add: { n: 1 } }));
      expect(new Set(seen.map((written) => written.ok && written.item.n)).size).toBe(200);
      expect(await table().get(key, { consistent: true })).toMatchObject({ n: 200 });
    });

    it('let one of fifty claim an item, and return its item to the others', async () => {
      const key = { pk: fresh(), sk: 'x' };
      const answers = await times(50, (n) => table().put({ ...key, by: n }, { absent: 'pk' }));
      const winner = answers.find(({ ok }) => ok);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      expect(answers.filter(({ ok }) => !ok)).toEqual(Array(49).fill({ ok: false, old: winner?.ok && winner.item }));
    });

    it('let one of ten replace a version', async () => {
      const item = { pk: fresh(), sk: 'x', version: 1 };
      await table().put(item);
      const answers = await times(10, (n) => table().put({ ...item, version: 2, by: n }, { eq: ['version', 1] }));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    });
  });

  describe('an acknowledged write of the table', () => {
    it('is seen by every later consistent read', async () => {
      const key = { pk: fresh(), sk: 'x' };
      for (let n = 0; n < 5; n++) {
        await table().put({ ...key, n });
        const [one, many] = await Promise.all([
          table().get(key, { consistent: true }),
          table().query({ pk: key.pk, limit: 1, consistent: true }),
        ]);
        expect([one, ...many.items]).toEqual([
          { ...key, n },
          { ...key, n },
        ]);
      }
    });
  });
}
