import { describe, expect, it } from 'vitest';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { type Item, TableError, type TablePort } from '#shared/store/table/table.port.ts';
import { changed, losingResponses, memoryStore, times } from '#test/support/memory-store.ts';

const ITEM: Item = { pk: 'X', sk: 'x', version: 2 };

const failing = (table: TablePort, error: TableError): TablePort =>
  changed(table, { put: () => Promise.reject(error) });

export function nonceWrites(): void {
  describe('putWithNonce', () => {
    it.each([
      ['a new item', undefined, { absent: 'pk' }],
      ['the next version', { ...ITEM, version: 1 }, { eq: ['version', 1] }],
    ] as const)('succeeds for %s, even if its response was lost', async (_, before, condition) => {
      const { table } = memoryStore();
      if (before) await table.put(before);
      const written = await putWithNonce(losingResponses(1)(table), ITEM, condition);
      expect(written).toMatchObject({ ok: true, item: ITEM });
      expect(await table.get(ITEM)).toEqual(written.ok && written.item);
    });

    it('fails with its condition, and returns the stored item', async () => {
      const { table } = memoryStore();
      await table.put({ ...ITEM, by: 'another' });
      expect(await putWithNonce(table, ITEM, { absent: 'pk' })).toEqual({ ok: false, old: { ...ITEM, by: 'another' } });
    });

    it('fails with its condition even if the first response was lost', async () => {
      const { table } = memoryStore();
      await table.put({ ...ITEM, by: 'another' });
      expect(await putWithNonce(losingResponses(1)(table), ITEM, { absent: 'pk' })).toMatchObject({
        ok: false,
        old: { by: 'another' },
      });
    });

    it('does not mistake an earlier write of the same caller for its own', async () => {
      const { table } = memoryStore();
      await putWithNonce(table, ITEM, { absent: 'pk' });
      expect((await putWithNonce(table, ITEM, { absent: 'pk' })).ok).toBe(false);
    });

    it('succeeds for one of many writers, however many responses are lost', async () => {
      const { table } = memoryStore();
      const lossy = losingResponses(10)(table);
      const written = await times(10, (n) => putWithNonce(lossy, { ...ITEM, n }, { absent: 'pk' }));
      expect(written.filter(({ ok }) => ok)).toHaveLength(1);
    });

    it('is not repeated if it was certainly not executed', async () => {
      const { table } = memoryStore();
      const refusal = new TableError('throttled', 'not_done', 'Slow down.');
      const refusals = [refusal];
      const busyOnce = changed(table, {
        put: (...asked) => (refusals.pop() ? Promise.reject(refusal) : table.put(...asked)),
      });
      await expect(putWithNonce(busyOnce, ITEM, { absent: 'pk' })).rejects.toBe(refusal);
      expect(await table.get(ITEM)).toBeUndefined();
    });

    it.each<[string, TableError]>([
      ['was certainly not executed', new TableError('throttled', 'not_done', 'Slow down.')],
      ['may have been executed, twice', new TableError('unavailable', 'unknown', 'The answer was lost.')],
    ])('passes the error on when it %s', async (_, error) => {
      const { table } = memoryStore();
      await expect(putWithNonce(failing(table, error), ITEM, { absent: 'pk' })).rejects.toBe(error);
    });
  });
}
