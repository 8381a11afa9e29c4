import { describe, expect, it } from 'vitest';
import type { TablePort, Write } from '#shared/store/table/table.port.ts';
import { fresh, seed } from '#test/contract/table/fresh.ts';

export function transactionsContract(table: () => TablePort): void {
  const read = async (pk: string) => (await table().query({ pk, limit: 100, consistent: true })).items;

  describe('a transaction of the table', () => {
    it('does all kinds of writes at once', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2', '3'], (n) => ({ n }));
      const done = await table().transact(
        [
          { put: { pk, sk: '0', new: true }, condition: { absent: 'pk' } },
          { update: { pk, sk: '1' }, change: { add: { n: 5 }, set: { s: 't' } }, condition: { eq: ['n', 0] } },
          { delete: { pk, sk: '2' } },
          { check: { pk, sk: '3' }, condition: { exists: 'n' } },
        ],
        fresh(),
      );
      expect(done).toEqual({ ok: true });
      expect(await read(pk)).toEqual([
        { pk, sk: '0', new: true },
        { pk, sk: '1', n: 5, s: 't' },
        { pk, sk: '3', n: 2 },
      ]);
    });

    it('writes nothing if a condition fails, and returns which one, with the old item', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1', '2'], (n) => ({ n }));
      const before = await read(pk);
      const failed = await table().transact(
        [
          { put: { pk, sk: '0' } },
          { put: { pk, sk: '1' }, condition: { absent: 'pk' } },
          { delete: { pk, sk: '2' }, condition: { exists: 'n' } },
          { check: { pk, sk: '4' }, condition: { exists: 'pk' } },
        ],
        fresh(),
      );
      expect(failed).toEqual({ ok: false, failed: [{ index: 1, old: { pk, sk: '1', n: 0 } }, { index: 3 }] });
      expect(await read(pk)).toEqual(before);
    });

    it('writes nothing if one of its writes is impossible', async () => {
      const pk = fresh();
      await seed(table(), pk, ['1'], () => ({ text: 't' }));
      const writes: Write[] = [{ put: { pk, sk: '0' } }, { update: { pk, sk: '1' }, change: { add: { text: 1 } } }];
      await expect(table().transact(writes, fresh())).rejects.toMatchObject({ kind: 'invalid', outcome: 'not_done' });
      expect(await read(pk)).toHaveLength(1);
    });

    it('happens once per token', async () => {
      const key = { pk: fresh(), sk: 'x' };
      const writes: Write[] = [{ update: key, change: { add: { n: 1 } } }];
      const token = fresh();
      const answers = [await table().transact(writes, token), await table().transact(writes, token)];
      expect(answers).toEqual([{ ok: true }, { ok: true }]);
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, n: 1 });
      await table().transact(writes, fresh());
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, n: 2 });
    });

    it('succeeds again under its token even if its condition would now fail', async () => {
      const writes: Write[] = [{ put: { pk: fresh(), sk: 'x' }, condition: { absent: 'pk' } }];
      const token = fresh();
      expect([await table().transact(writes, token), await table().transact(writes, token)]).toEqual([
        { ok: true },
        { ok: true },
      ]);
    });

    it('rejects the token of another transaction', async () => {
      const [pk, token] = [fresh(), fresh()];
      await table().transact([{ put: { pk, sk: '1' } }], token);
      await expect(table().transact([{ put: { pk, sk: '2' } }], token)).rejects.toMatchObject({
        kind: 'invalid',
        outcome: 'not_done',
      });
    });

    it('can succeed under the token of a failed attempt', async () => {
      const pk = fresh();
      const writes: Write[] = [{ check: { pk, sk: '1' }, condition: { exists: 'pk' } }, { put: { pk, sk: '2' } }];
      const token = fresh();
      expect(await table().transact(writes, token)).toEqual({ ok: false, failed: [{ index: 0 }] });
      await table().put({ pk, sk: '1' });
      expect(await table().transact(writes, token)).toEqual({ ok: true });
    });

    it('can have 100 writes', async () => {
      const pk = fresh();
      const writes = Array.from({ length: 100 }, (_, n) => ({ put: { pk, sk: String(n) } }));
      expect(await table().transact(writes, fresh())).toEqual({ ok: true });
      expect(await read(pk)).toHaveLength(100);
    });
  });
}
