import { describe, expect, it } from 'vitest';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { fresh } from '#test/contract/table/fresh.ts';

const EVERYTHING = {
  text: 'ünïcödé 😀',
  empty: '',
  nul: 'a\u0000b',
  whole: 9_007_199_254_740_991,
  part: -0.125,
  tiny: 1.5e-130,
  yes: true,
  nothing: null,
  list: [1, 'two', [], [null]],
  map: { a: { 'b.c': [{}] }, size: 'a reserved word' },
  disguised: [{ constructor: { name: 'Set' } }, { constructor: { name: 'Number' } }, { constructor: { name: '' } }],
};

export function itemsContract(table: () => TablePort): void {
  describe('an item of the table', () => {
    it('is read as it was put, whatever JSON it contains', async () => {
      const item = { pk: fresh(), sk: 'é', ...EVERYTHING };
      expect(await table().put(item)).toEqual({ ok: true, item });
      expect(await table().get(item, { consistent: true })).toEqual(item);
      expect(await table().get(item)).toEqual(item);
    });

    it('is undefined if it does not exist', async () =>
      expect(await table().get({ pk: fresh(), sk: 'x' })).toBeUndefined());

    it('is replaced as a whole by a put', async () => {
      const key = { pk: fresh(), sk: 'x' };
      await table().put({ ...key, a: 1 });
      await table().put({ ...key, b: 2 });
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, b: 2 });
    });

    it('can have keys of 2,048 and 1,024 bytes', async () => {
      const key = { pk: fresh().padEnd(2_048, '-'), sk: 'é'.repeat(512) };
      await table().put(key);
      expect(await table().get(key, { consistent: true })).toEqual(key);
    });

    it('can have 409,600 bytes, and not one more', async () => {
      const pk = fresh();
      const room = 409_600 - Buffer.byteLength(`pk${pk}skxtext`);
      expect((await table().put({ pk, sk: 'x', text: 'y'.repeat(room) })).ok).toBe(true);
      const over = { pk, sk: 'x', text: 'y'.repeat(room + 1) };
      await expect(table().put(over)).rejects.toMatchObject({ kind: 'too_large', outcome: 'not_done' });
    });

    it.each([
      ['whole number', 123, 3],
      ['round number', 1_000, 2],
      ['fraction', -10.5, 4],
      ['list', [null, true], 7],
      ['map', { a: null, b: '' }, 8],
    ])('counts the bytes of a %s as DynamoDB does', async (_, value, bytes) => {
      const pk = fresh();
      const text = 'y'.repeat(409_600 - Buffer.byteLength(`pk${pk}skxtextv`) - bytes);
      expect((await table().put({ pk, sk: 'x', text, v: value })).ok).toBe(true);
      await expect(table().put({ pk, sk: 'x', text: `${text}y`, v: value })).rejects.toMatchObject({
        kind: 'too_large',
      });
    });
  });

  describe('a read of many items', () => {
    it('returns them in the order of the keys, with gaps for missing items', async () => {
      const pk = fresh();
      const keys = Array.from({ length: 100 }, (_, n) => ({ pk, sk: String(n) }));
      await Promise.all(keys.filter((_, n) => n % 3 === 0).map((key) => table().put({ ...key, at: key.sk })));
      const found = await table().getMany([...keys].reverse());
      expect(found).toEqual(
        [...keys].reverse().map((key) => (Number(key.sk) % 3 === 0 ? { ...key, at: key.sk } : undefined)),
      );
    });

    it('returns nothing for no keys', async () => expect(await table().getMany([])).toEqual([]));
  });

  describe('an update of the table', () => {
    it('sets, adds and removes attributes, keeps the others, and returns the whole item', async () => {
      const key = { pk: fresh(), sk: 'x' };
      await table().put({ ...key, keep: 'k', count: 2, gone: 1, old: { deep: true } });
      const changed = await table().update(key, {
        set: { old: ['new'], 'dotted.name': 1 },
        add: { count: -5, started: 3 },
        remove: ['gone', 'never'],
      });
      const item = { ...key, keep: 'k', count: -3, started: 3, old: ['new'], 'dotted.name': 1 };
      expect(changed).toEqual({ ok: true, item });
      expect(await table().get(key, { consistent: true })).toEqual(item);
    });

    it.each([
      ['set', { set: { a: 1 } }, { a: 1 }],
      ['add', { add: { a: 0 } }, { a: 0 }],
      ['remove', { remove: ['a'] }, {}],
    ])('creates a missing item, even with %s alone', async (_, change, attributes) => {
      const key = { pk: fresh(), sk: 'x' };
      expect(await table().update(key, change)).toEqual({ ok: true, item: { ...key, ...attributes } });
      expect(await table().get(key, { consistent: true })).toEqual({ ...key, ...attributes });
    });

    it('fails to add to a text, and changes nothing', async () => {
      const item = { pk: fresh(), sk: 'x', a: 'text', b: 1 };
      await table().put(item);
      await expect(table().update(item, { add: { a: 1, b: 1 } })).rejects.toMatchObject({
        kind: 'invalid',
        outcome: 'not_done',
      });
      expect(await table().get(item, { consistent: true })).toEqual(item);
    });

    it('cannot make an item too large', async () => {
      const item = { pk: fresh(), sk: 'x', a: 'y'.repeat(300_000) };
      await table().put(item);
      await expect(table().update(item, { set: { b: 'y'.repeat(200_000) } })).rejects.toMatchObject({
        kind: 'too_large',
        outcome: 'not_done',
      });
      expect(await table().get(item, { consistent: true })).toEqual(item);
    });
  });

  describe('a delete of the table', () => {
    it('returns the deleted item, or undefined if there was none', async () => {
      const item = { pk: fresh(), sk: 'x', a: [1] };
      await table().put(item);
      expect(await table().delete(item)).toEqual({ ok: true, item });
      expect(await table().get(item, { consistent: true })).toBeUndefined();
      expect(await table().delete(item)).toEqual({ ok: true, item: undefined });
    });
  });
}
