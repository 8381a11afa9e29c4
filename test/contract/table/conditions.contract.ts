import { describe, expect, it } from 'vitest';
import type { Condition, TablePort } from '#shared/store/table/table.port.ts';
import { fresh } from '#test/contract/table/fresh.ts';

const ATTRIBUTES = {
  text: 'm',
  number: 10,
  part: 0.5,
  yes: true,
  nothing: null,
  list: [1, { a: 'b' }],
  map: { a: 1, b: [2] },
  face: '😀',
  empty: '',
};

/** The sentence, the condition, and whether it is true for the attributes above. */
const CASES: readonly (readonly [string, Condition, boolean])[] = [
  ['exists for an attribute', { exists: 'text' }, true],
  ['exists for null', { exists: 'nothing' }, true],
  ['exists for the key', { exists: 'pk' }, true],
  ['exists for none', { exists: 'missing' }, false],
  ['exists reads names as they are, without paths', { exists: 'map.a' }, false],
  ['absent for none', { absent: 'missing' }, true],
  ['absent for what every object inherits', { absent: 'toString' }, true],
  ['absent for an attribute', { absent: 'text' }, false],
  ['eq for a text', { eq: ['text', 'm'] }, true],
  ['eq for an empty text', { eq: ['empty', ''] }, true],
  ['eq for a number', { eq: ['number', 10] }, true],
  ['eq for true', { eq: ['yes', true] }, true],
  ['eq for null', { eq: ['nothing', null] }, true],
  ['eq for the same list', { eq: ['list', [1, { a: 'b' }]] }, true],
  ['eq for a longer list', { eq: ['list', [1, { a: 'b' }, 2]] }, false],
  ['eq for a list in another order', { eq: ['list', [{ a: 'b' }, 1]] }, false],
  ['eq for a map, whatever its order', { eq: ['map', { b: [2], a: 1 }] }, true],
  ['eq for a map with more', { eq: ['map', { b: [2], a: 1, c: 1 }] }, false],
  ['eq for a map with less', { eq: ['map', { a: 1 }] }, false],
  ['eq for a list against a map', { eq: ['list', {}] }, false],
  ['eq for a number written as text', { eq: ['number', '10'] }, false],
  ['eq for null against none', { eq: ['missing', null] }, false],
  ['eq for the key', { eq: ['sk', 'x'] }, true],
  ['ne for another value', { ne: ['text', 'n'] }, true],
  ['ne for another type', { ne: ['number', '10'] }, true],
  ['ne for none', { ne: ['missing', 1] }, true],
  ['ne for the same', { ne: ['list', [1, { a: 'b' }]] }, false],
  ['lt below', { lt: ['number', 10.5] }, true],
  ['lt at the same', { lt: ['number', 10] }, false],
  ['lt by value, not by digits', { lt: ['number', 9] }, false],
  ['lt for none', { lt: ['missing', 9] }, false],
  ['lt for another type', { lt: ['text', 9] }, false],
  ['lt for null', { lt: ['nothing', 9] }, false],
  ['le at the same', { le: ['number', 10] }, true],
  ['le above', { le: ['part', 0.25] }, false],
  ['gt above', { gt: ['text', 'l'] }, true],
  ['gt at the same', { gt: ['text', 'm'] }, false],
  ['gt for a prefix of it', { gt: ['text', ''] }, true],
  ['gt by UTF-8 bytes', { gt: ['face', '\uE000'] }, true],
  ['ge at the same', { ge: ['text', 'm'] }, true],
  ['ge for another type', { ge: ['yes', 'm'] }, false],
  ['all when all hold', { all: [{ exists: 'text' }, { ge: ['number', 10] }] }, true],
  ['all when one does not', { all: [{ exists: 'text' }, { gt: ['number', 10] }] }, false],
  ['any when one holds', { any: [{ absent: 'text' }, { eq: ['number', 10] }] }, true],
  ['any when none does', { any: [{ absent: 'text' }, { eq: ['number', 11] }] }, false],
  ['all of one part that is any', { all: [{ any: [{ absent: 'text' }, { eq: ['number', 10] }] }] }, true],
  [
    'all within any within all',
    {
      all: [
        { any: [{ all: [{ exists: 'text' }, { exists: 'missing' }] }, { eq: ['yes', true] }] },
        { absent: 'missing' },
      ],
    },
    true,
  ],
];

/** Conditions on a missing item: only those that a missing attribute satisfies are true. */
const ON_NOTHING: readonly (readonly [string, Condition, boolean])[] = [
  ['absent', { absent: 'pk' }, true],
  ['ne', { ne: ['text', 'm'] }, true],
  ['exists', { exists: 'pk' }, false],
  ['eq', { eq: ['nothing', null] }, false],
  ['lt', { lt: ['number', 10] }, false],
];

export function conditionsContract(table: () => TablePort): void {
  describe('a condition of the table', () => {
    it.each(CASES)('%s', async (_, condition, holds) => {
      const item = { pk: fresh(), sk: 'x', ...ATTRIBUTES };
      await table().put(item);
      const next = { ...item, changed: 1 };
      expect(await table().update(item, { set: { changed: 1 } }, condition)).toEqual(
        holds ? { ok: true, item: next } : { ok: false, old: item },
      );
      expect(await table().get(item, { consistent: true })).toEqual(holds ? next : item);
    });

    it.each(ON_NOTHING)('%s, for a missing item', async (_, condition, holds) => {
      const item = { pk: fresh(), sk: 'x', a: 1 };
      expect(await table().put(item, condition)).toEqual(holds ? { ok: true, item } : { ok: false, old: undefined });
      expect(await table().get(item, { consistent: true })).toEqual(holds ? item : undefined);
    });

    it('returns the old item when it fails, on a put and on a delete', async () => {
      const item = { pk: fresh(), sk: 'x', deep: { list: [1, null] } };
      await table().put(item);
      expect(await table().put({ ...item, deep: 2 }, { absent: 'pk' })).toEqual({ ok: false, old: item });
      expect(await table().delete(item, { eq: ['deep', 2] })).toEqual({ ok: false, old: item });
      expect(await table().get(item, { consistent: true })).toEqual(item);
    });

    it('allows a delete when it is true', async () => {
      const item = { pk: fresh(), sk: 'x', version: 3 };
      await table().put(item);
      expect(await table().delete(item, { eq: ['version', 3] })).toEqual({ ok: true, item });
    });

    it('is checked before the change is applied', async () => {
      const item = { pk: fresh(), sk: 'x', a: 'text' };
      await table().put(item);
      expect(await table().update(item, { add: { a: 1 } }, { absent: 'pk' })).toEqual({ ok: false, old: item });
    });

    it('can have up to 100 terms', async () => {
      const item = { pk: fresh(), sk: 'x', n: 99 };
      await table().put(item);
      const any = Array.from({ length: 100 }, (_, n) => ({ eq: ['n', n] as const }));
      expect(await table().put(item, { any })).toEqual({ ok: true, item });
    });
  });
}
